package golden

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Answers is what kernels gave on one machine: the content of a file.
//
// Not safe for concurrent use.
type Answers struct {
	About   About
	Answers []Answer
}

// An Answer is what one kernel gave.
//
// Not safe for concurrent use.
type Answer struct {
	Name    string // of the kernel
	Key     string // what ran on what: see [Key]. Where it differs the answer is to another question
	Outputs []Output
}

// An Output is one of the results: numbers of the same width.
//
// Not safe for concurrent use.
type Output struct {
	Width int // bytes of a number
	Data  []byte
}

// Find returns the answer of that name, nil if there is none.
func (a *Answers) Find(name string) *Answer {
	for i := range a.Answers {
		if a.Answers[i].Name == name {
			return &a.Answers[i]
		}
	}
	return nil
}

const magic = "purecuda answers 1\n"

// A file is compressed: the magic line, an index in JSON on a line, and the outputs one after the other. In each the lowest bytes
// of all numbers come first, then the next, which compresses better. Outputs that are alike are there once.
type index struct {
	About   About
	Answers []indexed
}

type indexed struct {
	Name, Key string
	Outputs   []place
}

type place struct{ Width, At, Size int }

// Write makes the file.
func (a *Answers) Write(path string) error {
	x, seen := index{About: a.About}, map[string]int{}
	var data bytes.Buffer
	for _, one := range a.Answers {
		e := indexed{Name: one.Name, Key: one.Key}
		for _, o := range one.Outputs {
			planes := toPlanes(o.Data, o.Width)
			at, ok := seen[string(planes)]
			if !ok {
				at = data.Len()
				seen[string(planes)] = at
				data.Write(planes)
			}
			e.Outputs = append(e.Outputs, place{o.Width, at, len(planes)})
		}
		x.Answers = append(x.Answers, e)
	}
	head, err := json.Marshal(x)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return err
	}
	for _, part := range [][]byte{[]byte(magic), head, []byte("\n"), data.Bytes()} {
		if _, err := z.Write(part); err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}

// ReadAnswers reads a file. Where there is none it gives nil and no error.
func ReadAnswers(path string) (*Answers, error) {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	all, err := io.ReadAll(z)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	rest, ok := bytes.CutPrefix(all, []byte(magic))
	head, data, whole := bytes.Cut(rest, []byte("\n"))
	var x index
	if !ok || !whole || json.Unmarshal(head, &x) != nil {
		return nil, fmt.Errorf("%s: not a file of answers", path)
	}
	a := &Answers{About: x.About}
	for _, e := range x.Answers {
		one := Answer{Name: e.Name, Key: e.Key}
		for _, p := range e.Outputs {
			if p.Width < 1 || p.Size < 0 || p.Size%p.Width != 0 || p.At < 0 || p.At > len(data) || p.Size > len(data)-p.At {
				return nil, fmt.Errorf("%s: %s: an output that is not in the file", path, e.Name)
			}
			one.Outputs = append(one.Outputs, Output{p.Width, fromPlanes(data[p.At:p.At+p.Size], p.Width)})
		}
		a.Answers = append(a.Answers, one)
	}
	return a, nil
}

func toPlanes(b []byte, width int) []byte {
	n, p := len(b)/width, make([]byte, len(b))
	for i := range b {
		p[i%width*n+i/width] = b[i]
	}
	return p
}

func fromPlanes(p []byte, width int) []byte {
	n, b := len(p)/width, make([]byte, len(p))
	for i := range b {
		b[i] = p[i%width*n+i/width]
	}
	return b
}
