package brokertest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// ErrNotInstalled is wrapped by the error of [Launch] where no RabbitMQ server
// is installed.
var ErrNotInstalled = errors.New("RabbitMQ is not installed")

// installation is where a RabbitMQ server's programs are.
type installation struct {
	server, ctl, epmd string
}

// scriptDirs are searched before PATH. Debian's script in PATH changes to the
// user rabbitmq; the one in /usr/lib runs as whoever calls it. The folders
// called sbin are often not in a user's PATH.
var scriptDirs = []string{
	"/usr/lib/rabbitmq/bin",
	"/usr/sbin",
	"/usr/local/sbin",
	"/opt/homebrew/sbin",
}

// findInstallation looks for RabbitMQ's own scripts in dirs, then in PATH.
func findInstallation(dirs []string) (installation, error) {
	if inPath, err := exec.LookPath("rabbitmq-server"); err == nil {
		dirs = append(dirs[:len(dirs):len(dirs)], filepath.Dir(inPath))
	}
	for _, dir := range dirs {
		resolved, err := filepath.EvalSymlinks(filepath.Join(dir, "rabbitmq-server"))
		if err != nil {
			continue
		}
		// Inv: dir has a rabbitmq-server. Links are followed to the folder
		// that has the scripts it sources.
		for _, dir := range []string{dir, filepath.Dir(resolved)} {
			inst := installation{
				server: filepath.Join(dir, "rabbitmq-server"),
				ctl:    filepath.Join(dir, "rabbitmqctl"),
			}
			if !isFile(filepath.Join(dir, "rabbitmq-env")) || !isFile(inst.server) || !isFile(inst.ctl) {
				continue
			}
			if inst.epmd, err = exec.LookPath("epmd"); err != nil {
				return installation{}, fmt.Errorf("%w completely: found %s but no epmd in PATH; install Erlang's epmd or set AMQP_URL", ErrNotInstalled, inst.server)
			}
			return inst, nil
		}
	}
	return installation{}, fmt.Errorf("%w: no rabbitmq-server in %v or PATH; install it (Debian: apt-get install rabbitmq-server) or set AMQP_URL", ErrNotInstalled, dirs)
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}
