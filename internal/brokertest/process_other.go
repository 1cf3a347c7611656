//go:build !unix

package brokertest

import (
	"errors"
	"os/exec"
)

var errNotUnix = errors.New("starting a private node needs a Unix system; set AMQP_URL")

type process struct{ pid int }

func startProcess(*exec.Cmd, func(pid int) error) (*process, error) { return nil, errNotUnix }

func (*process) exited() bool     { return true }
func (*process) terminate() error { return errNotUnix }
func (*process) pause() error     { return errNotUnix }
func (*process) resume() error    { return errNotUnix }
func (*process) kill() error      { return errNotUnix }

type keeper struct{}

func startKeeper(string) (*keeper, error) { return nil, errNotUnix }

func (*keeper) guard(...int) error { return errNotUnix }
func (*keeper) dismiss() error     { return errNotUnix }
