package worker

import (
	"fmt"
	"os/exec"
	"path/filepath"
)

// command is a program that can be a worker for one that can't.
const command = "purecuda"

// findProgram finds what is to be started: c.Path is a whole name then, or empty
// for this program.
func (c *Config) findProgram() error {
	switch {
	case c.Path != "":
		path, err := exec.LookPath(c.Path)
		if err == nil {
			path, err = filepath.Abs(path)
		}
		if err != nil {
			return fmt.Errorf("Config.Path: %w", err)
		}
		c.Path = path
	case !called.Load():
		path, err := exec.LookPath(command)
		if err != nil {
			return ErrNoMain
		}
		c.Path, c.Args = path, []string{"worker"}
	}
	return nil
}
