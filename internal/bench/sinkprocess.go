package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"os"
	"os/exec"
	"runtime"
	"time"
)

// sinkProcess is the sink, in a process of its own so that its work is not
// counted as the client's.
type sinkProcess struct {
	sinkAddress
	command *exec.Cmd
	alive   io.Closer // its standard input: closing it ends the process
}

// sinkAddress is what the process says about itself when it is ready, as JSON.
type sinkAddress struct {
	Address     string
	TLSAddress  string
	Certificate []byte // of the TLS listener, DER
}

// sinkVariable is set in the environment of a process that is the sink.
const sinkVariable = "AMQPFIX_BENCH_SINK"

// sinkPatience is how long a sink may take to start and to end.
const sinkPatience = 10 * time.Second

// startSink runs this program again, as the sink.
func startSink() (*sinkProcess, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := &sinkProcess{command: exec.Command(program)}
	p.command.Env = append(os.Environ(), sinkVariable+"=1")
	p.command.Stderr = os.Stderr
	if p.alive, err = p.command.StdinPipe(); err != nil {
		return nil, err
	}
	stdout, err := p.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.command.Start(); err != nil {
		return nil, fmt.Errorf("starting the sink: %w", err)
	}
	if err := json.NewDecoder(stdout).Decode(&p.sinkAddress); err != nil {
		return nil, errors.Join(fmt.Errorf("the sink did not say where it listens: %w", err), p.Close())
	}
	return p, nil
}

// Close ends the process.
func (p *sinkProcess) Close() error {
	p.alive.Close()
	timer := time.AfterFunc(sinkPatience, func() { p.command.Process.Kill() })
	defer timer.Stop()
	if err := p.command.Wait(); err != nil {
		return fmt.Errorf("the sink: %w", err)
	}
	return nil
}

// endpoint returns where the sink listens without TLS.
func (p *sinkProcess) endpoint() endpoint {
	return endpoint{url: "amqp://guest:guest@" + p.Address + "/?heartbeat=0"}
}

// tlsEndpoint returns where the sink listens with TLS.
func (p *sinkProcess) tlsEndpoint() (endpoint, error) {
	certificate, err := x509.ParseCertificate(p.Certificate)
	if err != nil {
		return endpoint{}, fmt.Errorf("the sink's certificate: %w", err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(certificate)
	return endpoint{url: "amqps://guest:guest@" + p.TLSAddress + "/?heartbeat=0", tls: &tls.Config{RootCAs: roots}}, nil
}

// sinkMain is main of the sink's process: it serves until alive, which nobody
// writes to, comes to its end with whoever holds the other side.
func sinkMain(alive io.Reader, stdout, stderr io.Writer) int {
	// One connection is in use at a time. A second processor would only look for
	// work, on the client's time.
	runtime.GOMAXPROCS(1)
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		io.Copy(io.Discard, alive) // its end is what matters, not how it came
		cancel()
	}()
	if err := runSink(ctx, stdout, stderr); err != nil {
		fmt.Fprintln(stderr, "sink:", err)
		return 1
	}
	return 0
}

// runSink listens and serves until ctx ends.
func runSink(ctx context.Context, stdout, stderr io.Writer) error {
	certificate, err := newCertificate()
	if err != nil {
		return err
	}
	plain, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer plain.Close()
	secure, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{certificate}})
	if err != nil {
		return err
	}
	defer secure.Close()
	for _, l := range []net.Listener{plain, secure} {
		go acceptSessions(l, stderr)
	}
	err = json.NewEncoder(stdout).Encode(sinkAddress{
		plain.Addr().String(), secure.Addr().String(), certificate.Certificate[0],
	})
	if err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}

// acceptSessions serves whoever comes until l is closed.
func acceptSessions(l net.Listener, stderr io.Writer) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer conn.Close()
			if err := (&session{conn: conn}).serve(); err != nil {
				fmt.Fprintln(stderr, "sink:", err)
			}
		}()
	}
}

// newCertificate makes a certificate for 127.0.0.1 that is its own authority.
func newCertificate() (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(1),
		NotBefore:             time.Now().Add(-time.Hour),
		NotAfter:              time.Now().Add(24 * time.Hour),
		IPAddresses:           []net.IP{net.IPv4(127, 0, 0, 1)},
		BasicConstraintsValid: true,
		IsCA:                  true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return tls.Certificate{}, err
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, nil
}
