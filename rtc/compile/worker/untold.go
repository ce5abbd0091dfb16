package worker

import (
	"regexp"
	"strings"

	"github.com/purecuda/purecuda/nvrtc"
)

// unopened is NVRTC's message about a file that can't be opened. The system's reason
// at its end is there if the file is, or some of its folders: Landlock lets names be
// looked up, and only then refuses.
var unopened = regexp.MustCompile(`(?m)^(.*(?:cannot|could not) open source file ".*")(: [A-Z].*)?`)

// untold is the refusal of a source that is not to know which files there are behind
// Landlock.
func untold(refusal func(log string) *nvrtc.CompileError, log string) *nvrtc.CompileError {
	// Logs of tens of megabytes are looked through quickly first.
	if !strings.Contains(log, " open source file ") || !unopened.MatchString(log) {
		return refusal(log)
	}
	e := refusal(unopened.ReplaceAllString(log, "$1"))
	e.Hints = append(e.Hints, "in a worker a source can include CUDA's headers and what lies in the folders that it was given (Config.Read); of other files it is not told whether they exist")
	return e
}
