package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// A part is what was measured of one chunk: the times in front of its copy to
// the device, of its kernel, of its copy back, and behind that. A stream has
// come to a part when its time begins; that may then wait for the hardware,
// which does as many copies at once as it has engines for them.
type part struct {
	chunk, stream int
	at            [4]time.Duration
}

var names = [3]string{"in", "kernel", "out"}

// end is when the last part has ended.
func end(parts []part) time.Duration {
	last := time.Duration(0)
	for _, p := range parts {
		last = max(last, p.at[3])
	}
	return last
}

func micro(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

// chart prints a line a chunk: how long its parts took, in microseconds, and
// where they lie in the time of all: < to the device, # kernel, > back.
func chart(w io.Writer, parts []part) {
	const width = 64
	fmt.Fprintf(w, "chunk stream %8s %8s %8s\n", names[0], names[1], names[2])
	all := max(end(parts), 1)
	column := func(t time.Duration) int { return int(t * width / all) }
	for _, p := range parts {
		bar := strings.Repeat(" ", column(p.at[0]))
		fmt.Fprintf(w, "%5d %6d", p.chunk, p.stream)
		for i, sign := range []string{"<", "#", ">"} {
			fmt.Fprintf(w, " %8.1f", micro(p.at[i+1]-p.at[i]))
			bar += strings.Repeat(sign, column(p.at[i+1])-column(p.at[i]))
		}
		fmt.Fprintf(w, " |%-*s|\n", width, bar)
	}
}

// A slice is an entry of a trace in the format of Chrome: phase X is something
// that took its time, M what its thread, which is a stream here, is called.
type slice struct {
	Name     string         `json:"name"`
	Phase    string         `json:"ph"`
	At       float64        `json:"ts"`  // in microseconds, as is
	Duration float64        `json:"dur"` // the duration
	Process  int            `json:"pid"`
	Thread   int            `json:"tid"`
	Args     map[string]any `json:"args"`
}

func writeTrace(file, device string, parts []part) error {
	trace := []slice{{Name: "process_name", Phase: "M", Args: map[string]any{"name": device}}}
	named := map[int]bool{}
	for _, p := range parts {
		if !named[p.stream] {
			named[p.stream] = true
			trace = append(trace, slice{Name: "thread_name", Phase: "M", Thread: p.stream,
				Args: map[string]any{"name": fmt.Sprintf("stream %d", p.stream)}})
		}
		for i, name := range names {
			trace = append(trace, slice{Name: name, Phase: "X", At: micro(p.at[i]), Duration: micro(p.at[i+1] - p.at[i]),
				Thread: p.stream, Args: map[string]any{"chunk": p.chunk}})
		}
	}
	text, err := json.MarshalIndent(map[string]any{"traceEvents": trace}, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o666)
}
