package brokertest

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
)

// erlangFlags make a node start fast: threads that run out of work look for more
// for a moment before they sleep, since most of a start is threads handing each
// other small things. RabbitMQ's own default makes them sleep at once.
const erlangFlags = "+P 65536 +sbwt very_short +sbwtdcpu very_short +sbwtdio very_short"

// prepare chooses the node's ports and name and writes its files. n.mu is held.
func (n *Node) prepare(opts Options) error {
	var amqp, dist, tls port
	for _, p := range []*port{&amqp, &dist, &tls, &n.epmd} {
		var err error
		if *p, err = takePort(); err != nil {
			return err
		}
	}
	dir, err := os.MkdirTemp("", "brokertest-")
	if err != nil {
		return err
	}
	n.dir = dir
	n.name = fmt.Sprintf("brokertest-%d-%d@localhost", os.Getpid(), amqp)
	n.addr = net.JoinHostPort("127.0.0.1", amqp.String())
	n.url = "amqp://guest:guest@" + n.addr + "/"
	n.env = n.environment(amqp, dist)

	config := "cluster_name = " + n.clusterName() + `
loopback_users = none
log.console = true
log.console.level = info
log.file = false
`
	if opts.TLS {
		certs, err := newCertificates()
		if err != nil {
			return err
		}
		if err := certs.write(dir); err != nil {
			return err
		}
		n.roots = certs.roots
		n.tlsURL = fmt.Sprintf("amqps://guest:guest@127.0.0.1:%d/", tls)
		config += fmt.Sprintf("listeners.ssl.default = 127.0.0.1:%d\n", tls) + certs.config(dir)
	}
	cookie := make([]byte, 20)
	if _, err := rand.Read(cookie); err != nil {
		return err
	}
	for _, f := range []struct {
		name, content string
		mode          os.FileMode
	}{
		{"rabbitmq.conf", config + opts.Config + "\n", 0o600},
		{"enabled_plugins", "[].\n", 0o600},
		{".erlang.cookie", hex.EncodeToString(cookie), 0o400},
	} {
		if err := os.WriteFile(filepath.Join(dir, f.name), []byte(f.content), f.mode); err != nil {
			return err
		}
	}
	return nil
}

// clusterName is how the node calls itself in its connection.start.
func (n *Node) clusterName() string { return strings.TrimSuffix(n.name, "@localhost") }

// environment returns the environment of the node's programs: this process's
// without what would change how they behave, and all that ties them to n.dir.
func (n *Node) environment(amqp, dist port) []string {
	var env []string
	for _, v := range os.Environ() {
		foreign := false
		for _, prefix := range []string{"RABBITMQ_", "ERL_", "HOME=", "LANG=", "LC_ALL="} {
			foreign = foreign || strings.HasPrefix(v, prefix)
		}
		if !foreign {
			env = append(env, v)
		}
	}
	in := func(name string) string { return filepath.Join(n.dir, name) }
	return append(env,
		"HOME="+n.dir, // where Erlang looks for its cookie
		"LANG=C.UTF-8",
		"ERL_EPMD_PORT="+n.epmd.String(),
		"ERL_EPMD_ADDRESS=127.0.0.1",
		// For every Erlang program, those that the server's scripts start too:
		// never start an epmd, which would stay.
		"ERL_AFLAGS=-start_epmd false -kernel inet_dist_use_interface {127,0,0,1}",
		"ERL_CRASH_DUMP_SECONDS=0", // none
		"RABBITMQ_NODENAME="+n.name,
		"RABBITMQ_NODE_IP_ADDRESS=127.0.0.1",
		"RABBITMQ_NODE_PORT="+amqp.String(),
		"RABBITMQ_DIST_PORT="+dist.String(),
		"RABBITMQ_CTL_DIST_PORT_MIN=0", // any
		"RABBITMQ_CTL_DIST_PORT_MAX=0",
		"RABBITMQ_CONF_ENV_FILE=/dev/null",
		"RABBITMQ_CONFIG_FILE="+in("rabbitmq.conf"),
		"RABBITMQ_CONFIG_FILES="+in("conf.d"),
		"RABBITMQ_ADVANCED_CONFIG_FILE="+in("advanced.config"),
		"RABBITMQ_GENERATED_CONFIG_DIR="+in("generated"),
		"RABBITMQ_ENABLED_PLUGINS_FILE="+in("enabled_plugins"),
		"RABBITMQ_MNESIA_BASE="+in("data"),
		"RABBITMQ_SCHEMA_DIR="+in("schema"),
		"RABBITMQ_LOG_BASE="+in("log"),
		"RABBITMQ_SERVER_ERL_ARGS="+erlangFlags,
		// The start script then becomes the server instead of waiting for it;
		// the flag is what it adds without.
		"RABBITMQ_ALLOW_INPUT=1",
		"RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS=-noinput",
	)
}
