package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"

	"github.com/purecuda/purecuda/rtc/child/jail"
)

const doctorHelp = `Usage: purecuda doctor [-json]

Says which NVRTC and which driver a program on this machine gets, how they were found and what was
passed over before, which devices there are, where the cache is and whether it can be used, which
variables have a say, which walls there are for compiles in child processes, and whether a compile
and a launch work: on each GPU, else on a simulated device. Problems come with what to do.

  -json   the same for programs

Passwords in URLs are not shown.

Exit status: 0 compiling and launching work; 2 the command line is wrong; 3 something is missing or
doesn't work. A machine without a GPU is no problem: kernels run on the simulated device.
`

// A diagnosis is what doctor found out.
type diagnosis struct {
	Program   program    `json:"program"`
	NVRTC     *compiler  `json:"nvrtc"`
	Driver    *gpus      `json:"driver"`
	Cache     kept       `json:"cache"`
	Variables []variable `json:"variables"`
	Walls     walls      `json:"walls"`
	Compile   trial      `json:"compile"`
	Worker    trial      `json:"worker"` // a compile in a child process
	Launches  []trial    `json:"launches"`
	Problems  []string   `json:"problems"` // that stop something
	Notes     []string   `json:"notes"`    // that are worth knowing
}

// A program is this one.
type program struct {
	Version string `json:"version"`
	Go      string `json:"go"`
	System  string `json:"system"`
}

// walls are those between a compile in a child process and the machine.
type walls struct {
	Landlock   int  `json:"landlock"` // version of its interface; 0: none
	Seccomp    bool `json:"seccomp"`
	Namespaces bool `json:"namespaces"`

	text string
}

func doctorCommand(ctx context.Context, args []string) error {
	f := newFlags("doctor")
	asJSON := f.Bool("json", false, "")
	rest, behind, err := f.parse(args)
	if err != nil {
		return err
	}
	if rest = append(rest, behind...); len(rest) > 0 {
		return usageError("doctor", "%q is one too many", rest[0])
	}
	d := diagnose(ctx)
	if *asJSON {
		err = writeJSON(d)
	} else {
		d.print(os.Stdout)
	}
	if err == nil && len(d.Problems) > 0 {
		err = &exitError{code: lacking}
	}
	return err
}

// diagnose looks at everything. What one thing lacks stops none of the others.
func diagnose(ctx context.Context) *diagnosis {
	d := &diagnosis{Program: thisProgram(), Problems: []string{}, Notes: []string{}}
	d.lookAtVariables(os.Environ())
	d.lookAtNVRTC()
	d.lookAtDriver()
	d.lookAtCache(ctx)
	d.lookAtWalls(jail.Probe())
	d.try(ctx)
	d.compare()
	return d
}

// lookAtWalls says what a system without them can't do.
func (d *diagnosis) lookAtWalls(w jail.Walls) {
	d.Walls = walls{w.Landlock, w.Seccomp, w.Namespaces, w.String()}
	switch {
	case w.Landlock > 0:
	case w.Seccomp:
		d.note("without Landlock the headers of a source that is compiled in an isolated child process are read for it: one that is included by a macro isn't found")
	default:
		d.note("without Landlock and seccomp nothing but a look at its text and options (compile.Confine) keeps a source, compiled in a child process too, from reading files")
	}
}

func (d *diagnosis) problem(format string, args ...any) {
	d.Problems = append(d.Problems, fmt.Sprintf(format, args...))
}

func (d *diagnosis) note(format string, args ...any) {
	d.Notes = append(d.Notes, fmt.Sprintf(format, args...))
}

func thisProgram() program {
	p := program{Version: "unknown", Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		p.Version = info.Main.Version
	}
	return p
}
