package drivertest

import (
	"regexp"
	"strconv"
	"strings"
)

// An image is what a module was loaded from.
type image struct {
	version, target int // of PTX: 84, 90
	functions       []*Function
	variables       []variable
}

type variable struct {
	name string
	size int
	data []byte
}

var (
	ptxVersion = regexp.MustCompile(`(?m)^\s*\.version\s+(\d+)\.(\d+)`)
	ptxTarget  = regexp.MustCompile(`(?m)^\s*\.target\s+sm_(\d+)`)
	ptxEntry   = regexp.MustCompile(`(?s)\.entry\s+([\w$]+)\s*(?:\((.*?)\))?\s*((?:\.\w+[\s\d,]*)*)\{`)
	ptxParam   = regexp.MustCompile(`\.param\s+(?:\.align\s+(\d+)\s+)?\.([busf])(\d+)\s+(?:\.ptr\s*(?:\.\w+\s*)*(?:\.align\s+\d+\s+)?)?[\w$]+\s*(?:\[(\d+)\])?`)
	ptxMaxntid = regexp.MustCompile(`\.(max|req)ntid\s+(\d+)(?:\s*,\s*(\d+))?(?:\s*,\s*(\d+))?`)
	ptxCluster = regexp.MustCompile(`\.reqnctapercluster\s+(\d+)(?:\s*,\s*(\d+))?(?:\s*,\s*(\d+))?`)
	ptxVar     = regexp.MustCompile(`(?m)^\s*(?:\.visible\s+|\.weak\s+|\.extern\s+)?\.(global|const|shared)\s+(?:\.align\s+\d+\s+)?\.[busf](\d+)\s+([\w$]+)\s*(\[\d*\])?`)
	comments   = regexp.MustCompile(`(?s)//[^\n]*|/\*.*?\*/`)
)

// scanPTX finds what a driver knows of a module in its PTX. ok is false for
// what isn't PTX.
func scanPTX(text string) (*image, bool) {
	text = comments.ReplaceAllString(text, " ")
	m := ptxVersion.FindStringSubmatch(text)
	if m == nil {
		return nil, false
	}
	im := &image{version: 10*number(m[1]) + number(m[2])}
	if m := ptxTarget.FindStringSubmatch(text); m != nil {
		im.target = number(m[1])
	}
	shared := 0
	for _, m := range ptxVar.FindAllStringSubmatch(text, -1) {
		size := number(m[2]) / 8
		if m[4] != "" {
			size *= number(strings.Trim(m[4], "[]"))
		}
		if m[1] == "shared" {
			shared += size
		} else {
			im.variables = append(im.variables, variable{name: m[3], size: size})
		}
	}
	for _, m := range ptxEntry.FindAllStringSubmatch(text, -1) {
		f := &Function{Name: m[1], Registers: 32, Shared: shared, MaxThreads: 1024}
		offset := 0
		for _, p := range ptxParam.FindAllStringSubmatch(m[2], -1) {
			size := number(p[3]) / 8
			align := max(1, size)
			if p[4] != "" {
				size *= number(p[4])
			}
			if p[1] != "" {
				align = max(1, number(p[1]))
			}
			offset = (offset + align - 1) / align * align
			f.Params = append(f.Params, Param{Offset: offset, Size: size})
			offset += size
		}
		if n := ptxMaxntid.FindStringSubmatch(m[3]); n != nil {
			f.MaxThreads = min(1024, number(n[2])*max(1, number(n[3]))*max(1, number(n[4])))
		}
		if n := ptxCluster.FindStringSubmatch(m[3]); n != nil {
			f.Cluster = [3]int{number(n[1]), max(1, number(n[2])), max(1, number(n[3]))}
		}
		im.functions = append(im.functions, f)
	}
	return im, true
}

// number is a count in the text; beyond a GiB, which no test has, it is 0.
func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n > 1<<30 {
		return 0
	}
	return n
}
