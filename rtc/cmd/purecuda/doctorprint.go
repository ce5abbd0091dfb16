package main

import (
	"fmt"
	"io"
	"strings"
)

// A page is text in two columns.
type page struct{ w io.Writer }

// line writes a line; the first of a subject has a label.
func (p page) line(label, format string, args ...any) {
	text := strings.ReplaceAll(printable(fmt.Sprintf(format, args...)), "\n", "\n"+strings.Repeat(" ", 11))
	fmt.Fprintf(p.w, "%-10s %s\n", label, text)
}

func (d *diagnosis) print(w io.Writer) {
	p := page{w}
	p.line("purecuda", "%s, %s, %s", d.Program.Version, d.Program.Go, d.Program.System)
	d.printNVRTC(p)
	d.printDriver(p)
	d.printCache(p)
	label := "variables"
	for _, v := range d.Variables {
		means := ""
		if v.Means != "" {
			means = " (" + v.Means + ")"
		}
		p.line(label, "%s=%s%s", v.Name, v.Value, means)
		label = ""
	}
	p.line("walls", "%s", d.Walls.text)
	if d.Compile.Works {
		p.line("compile", "works: %s in %.0f ms", d.Compile.Target, d.Compile.MS)
	} else {
		p.line("compile", "fails: %s", d.Compile.Error)
	}
	switch {
	case d.Worker.Works:
		p.line("", "works in a child process: in %.0f ms", d.Worker.MS)
	case d.Worker.Error != "":
		p.line("", "fails in a child process: %s", d.Worker.Error)
	}
	label = "launch"
	for _, t := range d.Launches {
		switch {
		case !t.Works:
			p.line(label, "fails on %s: %s", t.On, t.Error)
		case t.Simulated:
			p.line(label, "works on the simulated device, for there is no GPU: %s in %.0f ms", t.Target, t.MS)
		default:
			p.line(label, "works on %s: %s in %.0f ms", t.On, t.Target, t.MS)
		}
		label = ""
	}
	fmt.Fprintln(w)
	for _, n := range d.Notes {
		p.line("note:", "%s", n)
	}
	for _, problem := range d.Problems {
		p.line("problem:", "%s", problem)
	}
	if len(d.Problems) == 0 {
		fmt.Fprintln(w, "Compiling and launching work.")
	}
}

// printLibrary tells how one was found, or where it was looked for.
func printLibrary(p page, label string, l library) {
	if l.Error != "" {
		p.line(label, "none; %s", l.Error)
	} else {
		p.line(label, "CUDA %s, %s", l.Version, l.Path)
		by := l.Source
		if l.From != "" {
			by += " " + l.From
		}
		p.line("", "found by: %s", by)
	}
	for i := 0; i < len(l.Skipped); {
		s, alike := l.Skipped[i], []string(nil)
		for ; i < len(l.Skipped); i++ {
			if next := l.Skipped[i]; next.Source != s.Source || next.From != s.From || next.Reason != s.Reason {
				break
			}
			alike = append(alike, l.Skipped[i].Path)
		}
		step := s.Source
		if s.From != "" {
			step += " " + s.From
		}
		p.line("", "passed over: %s: %s: %s", step, strings.Join(alike, ", "), s.Reason)
	}
	for _, file := range l.Beside {
		p.line("", "with it: %s", file)
	}
}

func (d *diagnosis) printNVRTC(p page) {
	n := d.NVRTC
	printLibrary(p, "NVRTC", n.library)
	if n.open == nil {
		return
	}
	p.line("", "compiles for: %s", strings.Join(n.Architectures, " "))
	if len(n.Lacks) > 0 {
		var all []string
		for _, l := range n.Lacks {
			all = append(all, fmt.Sprintf("%s (CUDA %s)", l.What, l.Since))
		}
		p.line("", "too old for: %s", strings.Join(all, ", "))
	}
	if n.NoHeaders != "" {
		short, _, _ := strings.Cut(n.NoHeaders, ";")
		p.line("", "CUDA's headers: none (%s)", strings.TrimPrefix(short, "nvrtc: include dirs: "))
	} else {
		p.line("", "CUDA's headers: %s", strings.Join(n.Headers, " "))
	}
	p.line("", "signals: %s", n.Signals)
}

func (d *diagnosis) printDriver(p page) {
	printLibrary(p, "driver", d.Driver.library)
	if d.Driver.open != nil && len(d.Driver.Devices) == 0 {
		p.line("", "no devices")
	}
	for _, one := range d.Driver.Devices {
		p.line("", "device %d: %s, compute capability %s, %s", one.Ordinal, one.Name, one.Capability, size(int64(one.Memory)))
	}
}

func (d *diagnosis) printCache(p page) {
	switch c := d.Cache; {
	case c.Off:
		p.line("cache", "off (PURECUDA_CACHE)")
	case c.Problem != "":
		p.line("cache", "not usable: %s", c.Problem)
	default:
		p.line("cache", "%s: %s, %s", c.Folder, count(c.Entries), size(c.Bytes))
	}
}
