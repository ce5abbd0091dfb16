package nvrtc

import (
	"strconv"
	"strings"
)

// The beginnings of messages, as NVRTC 7.0 to 13 write them.
var (
	// k.cu(3): error: …    k.cu(1): warning #177-D: …
	atLine = pattern(`^(.*?)\((\d+)\): (catastrophic error|internal error|error|warning|remark|note)(?: #(\d+)(?:-D)?)?: (.*)$`)
	// At end of source: error: …    Command-line error: …
	atPlace = pattern(`^(At end of source: |Command-line )(catastrophic error|error|warning|remark|note)(?: #(\d+)(?:-D)?)?: (.*)$`)
	// nvrtc: error: …
	ofNVRTC = pattern(`^(nvrtc[\w-]*): (fatal|error|warning|info)\s*: (.*)$`)
	// ptxas error   : …    ptxas application ptx input, line 27; error   : …
	ofTool = pattern(`^(ptxas|nvlink|nvjitlink|fatbinary|cuobjdump)\b(?: (.*?), line (\d+);)? *(fatal|error|warning|info)\s*: (.*)$`)
	// 5 errors detected in the compilation of "k.cu".
	summary = pattern(`^(\d+ (catastrophic )?errors? (and \d+ \S+ )?detected |Compilation terminated\.|Remark: The warnings can be suppressed )`)
)

var severities = map[string]Severity{
	"catastrophic error": Fatal, "internal error": Fatal, "fatal": Fatal,
	"error": Error, "warning": Warning, "remark": Info, "info": Info, "note": Note,
}

// ParseLog finds the messages in a log of NVRTC, in their order. Lines that
// belong to no message, such as the count at the end, are left out.
func ParseLog(log string) []Diagnostic {
	var out []Diagnostic
	open := false // lines belong to the last message
	for line := range strings.SplitSeq(log, "\n") {
		line = strings.TrimSuffix(line, "\r")
		if d, ok := parseMessage(line); ok {
			out, open = append(out, d), true
			continue
		}
		if line == "" || summary().MatchString(line) {
			open = false
			continue
		}
		if open {
			d := &out[len(out)-1]
			d.Detail = append(d.Detail, line)
			if d.Column == 0 && strings.Trim(line, " \t^") == "" && strings.HasSuffix(line, "^") {
				d.Column = caretColumn(line)
			}
		}
	}
	return out
}

func parseMessage(line string) (Diagnostic, bool) {
	// A log may quote lines of a megabyte, in which the pattern would look at each place.
	if strings.Contains(line, "): ") {
		if m := atLine().FindStringSubmatch(line); m != nil {
			return Diagnostic{File: m[1], Line: number(m[2]), Severity: severities[m[3]], Number: number(m[4]), Text: m[5]}, true
		}
	}
	if m := atPlace().FindStringSubmatch(line); m != nil {
		return Diagnostic{AtEnd: m[1][0] == 'A', Severity: severities[m[2]], Number: number(m[3]), Text: m[4]}, true
	}
	if m := ofNVRTC().FindStringSubmatch(line); m != nil {
		return Diagnostic{Tool: m[1], Severity: severities[m[2]], Text: m[3]}, true
	}
	if m := ofTool().FindStringSubmatch(line); m != nil {
		return Diagnostic{Tool: m[1], File: m[2], Line: number(m[3]), Severity: severities[m[4]], Text: m[5]}, true
	}
	return Diagnostic{}, false
}

// caretColumn counts what stands before the caret. NVRTC indents the source
// line and the caret's by two blanks.
func caretColumn(line string) int {
	n := len(line) - 1 - len("  ")
	if n < 0 {
		return 0
	}
	return n + 1
}

// number reads digits; "" and numbers too large for an int are 0.
func number(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0
	}
	return n
}
