package graph_test

import (
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/purecuda/purecuda/rtc/graph"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden holds a text against a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o666))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, strings.ReplaceAll(string(want), "\r\n", "\n"), got)
}

// pictured are plans whose pictures are kept.
func pictured(t *testing.T) map[string]*graph.Plan {
	ms := time.Millisecond
	return map[string]*graph.Plan{
		"article": plan(t, graph.PlanConfig{Memories: []string{"x", "y", "z", "w"}}, article...),
		"owners": plan(t, graph.PlanConfig{Streams: 2, PerOwner: true, Memories: []string{"frame", `"odd" <name>`}},
			graph.Task{Name: "upload", Kind: graph.Copy, Writes: uses(0), Cost: 2 * ms},
			graph.Task{Name: "blur", Owner: "blur & co", Reads: uses(0), Writes: uses(1), Cost: 3 * ms},
			graph.Task{Name: "edges", Owner: "edges", Reads: uses(0), Writes: uses(2), Cost: ms},
			graph.Task{Name: `mix "all"`, Owner: "blur & co", Reads: uses(1, 2), Writes: uses(0), Cost: ms / 2},
			graph.Task{Name: "clear", Kind: graph.Fill, Writes: uses(3), Cost: ms / 10},
			graph.Task{Name: "seen", Kind: graph.Event, After: []int{3, 4}},
		),
		"empty": plan(t, graph.PlanConfig{}),
	}
}

func TestPictures(t *testing.T) {
	for name, p := range pictured(t) {
		golden(t, name+".dot", p.DOT())
		golden(t, name+".mmd", p.Mermaid())
		golden(t, name+".svg", p.SVG())
	}
}

// TestSVGIsXML: whatever tasks are called, the picture can be read.
func TestSVGIsXML(t *testing.T) {
	for _, p := range pictured(t) {
		d := xml.NewDecoder(strings.NewReader(p.SVG()))
		for {
			_, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			require.NoError(t, err)
		}
	}
}
