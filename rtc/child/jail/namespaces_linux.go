//go:build amd64 || arm64

package jail

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"syscall"
)

const ownNamespaces = syscall.CLONE_NEWUSER | syscall.CLONE_NEWPID | syscall.CLONE_NEWNS | syscall.CLONE_NEWNET | syscall.CLONE_NEWIPC

const nobody = 65534

func namespaces(attr *syscall.SysProcAttr) error {
	if err := mayHaveNamespaces(); err != nil {
		return err
	}
	giveNamespaces(attr)
	return nil
}

func giveNamespaces(attr *syscall.SysProcAttr) {
	attr.Cloneflags |= ownNamespaces
	attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: nobody, HostID: os.Geteuid(), Size: 1}}
	attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: nobody, HostID: os.Getegid(), Size: 1}}
}

// mayHaveNamespaces tries it with a process that has nothing to execute. So no
// program is run, and the standard library waits for its end.
var mayHaveNamespaces = sync.OnceValue(func() error {
	attr := &syscall.SysProcAttr{}
	giveNamespaces(attr)
	p, err := os.StartProcess("", []string{""}, &os.ProcAttr{Env: []string{}, Sys: attr})
	switch {
	case err == nil: // which no system does
		_ = p.Kill()
		_, _ = p.Wait()
		return errors.New("a program without a name was started")
	case errors.Is(err, syscall.ENOENT):
		return nil
	}
	return fmt.Errorf("this machine doesn't let it: %w", errors.Join(err, errors.ErrUnsupported))
})

var probe = sync.OnceValue(func() Walls {
	abi, _ := landlockABI()
	return Walls{Landlock: abi, Seccomp: hasSeccomp(), Namespaces: mayHaveNamespaces() == nil}
})
