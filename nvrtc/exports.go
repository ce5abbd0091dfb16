package nvrtc

import (
	"slices"
	"strings"
)

// nameMap is the file that NVRTC makes of the name expressions: a line of
// comment or so, then a #pragma for each, in the order of their bytes.
const nameMap = "__nv_name_map"

// The first line of a name expression in it.
const nameMapFirst = 2

// NVRTC's last word about a bad one quotes it token by token.
var quotedExport = pattern(`(?s)Input name expression was: "(.*)"$`)

// badExports finds the exports that the diagnostics are about; nil when none is.
func badExports(exports []string, diagnostics []Diagnostic) *ExportError {
	sorted := slices.Compact(slices.Sorted(slices.Values(exports)))
	reasons := map[string]string{}
	for line, block := range nameMapBlocks(diagnostics) {
		export, ok := "", false
		if i := line - nameMapFirst; i >= 0 && i < len(sorted) {
			export, ok = sorted[i], true
		}
		// The quotation is better than the line, where it fits one export alone.
		for _, d := range block {
			if m := quotedExport().FindStringSubmatch(d.Text); m != nil {
				if fit := fitting(sorted, m[1]); len(fit) == 1 {
					export, ok = fit[0], true
				}
			}
		}
		if ok {
			reasons[export] = block[0].Text
		}
	}
	if len(reasons) == 0 {
		return nil
	}
	e := &ExportError{}
	for _, x := range exports {
		if reason, ok := reasons[x]; ok && !slices.Contains(e.Exports, x) {
			e.Exports, e.Reasons = append(e.Exports, x), append(e.Reasons, reason)
		}
	}
	return e
}

// nameMapBlocks are the errors about name expressions by their line.
func nameMapBlocks(diagnostics []Diagnostic) map[int][]Diagnostic {
	blocks := map[int][]Diagnostic{}
	for _, d := range diagnostics {
		if d.File == nameMap && d.Severity >= Error {
			blocks[d.Line] = append(blocks[d.Line], d)
		}
	}
	return blocks
}

func fitting(exports []string, quoted string) []string {
	var fit []string
	for _, x := range exports {
		if noBlanks(x) == noBlanks(quoted) {
			fit = append(fit, x)
		}
	}
	return fit
}

func noBlanks(s string) string { return strings.Join(strings.Fields(s), "") }
