package main

import (
	"errors"

	"github.com/purecuda/purecuda/nvrtc"
)

// A compiled is a unit for programs.
type compiled struct {
	File        string            `json:"file"`
	Arch        string            `json:"arch"`
	Kind        string            `json:"kind"`
	Output      string            `json:"output,omitempty"`
	Bytes       int               `json:"bytes,omitempty"`
	Origin      string            `json:"origin,omitempty"` // compiled, cached, shared; with -list: cached, or left out
	Key         string            `json:"key,omitempty"`
	Uncached    string            `json:"uncached,omitempty"`
	Lowered     map[string]string `json:"lowered,omitempty"`
	Signatures  map[string]string `json:"signatures,omitempty"`
	Diagnostics []told            `json:"diagnostics,omitempty"`
	Hints       []string          `json:"hints,omitempty"`
	Error       string            `json:"error,omitempty"`
}

// A told is a diagnostic for programs.
type told struct {
	File     string   `json:"file,omitempty"`
	Line     int      `json:"line,omitempty"`
	Column   int      `json:"column,omitempty"`
	Severity string   `json:"severity"`
	Tool     string   `json:"tool,omitempty"`
	Number   int      `json:"number,omitempty"`
	Text     string   `json:"text"`
	Detail   []string `json:"detail,omitempty"`
}

// writeJSON writes {"compiler": …, "results": […]}.
func (j *compileJob) writeJSON() error {
	report := struct {
		Compiler string     `json:"compiler"`
		Results  []compiled `json:"results"`
	}{Compiler: j.compiler.String()}
	for _, u := range j.units {
		report.Results = append(report.Results, u.json())
	}
	return writeJSON(report)
}

func (u *unit) json() compiled {
	c := compiled{File: u.file, Arch: u.arch.String(), Kind: u.kind.String()}
	var diagnostics []nvrtc.Diagnostic
	if r := u.result; r != nil {
		c.Uncached = r.Uncached
		if r.Uncached == "" {
			c.Key = r.Key.String()
		}
		if r.Entry != nil {
			c.Origin, c.Bytes, c.Lowered, c.Signatures = r.Origin.String(), len(u.image()), r.Entry.Lowered, r.Entry.Signatures
			diagnostics = nvrtc.ParseLog(r.Entry.Log)
		}
	}
	if u.err != nil {
		c.Error = u.plain(u.err)
		var refused *nvrtc.CompileError
		if errors.As(u.err, &refused) {
			diagnostics, c.Hints = ofSource(refused.Diagnostics), refused.Hints
		}
	} else {
		c.Output = u.out
	}
	for _, d := range diagnostics {
		c.Diagnostics = append(c.Diagnostics, told{u.path(d.File), d.Line, d.Column, d.Severity.String(), d.Tool, d.Number, d.Text, d.Detail})
	}
	return c
}
