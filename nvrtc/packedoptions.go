package nvrtc

import (
	"fmt"
	"slices"
	"strings"
)

// packed is for an element that holds several options, as a command line does:
// NVRTC takes all of it for one, and mostly without a word.
func (h *hinting) packed() string {
	for i, element := range h.Options {
		words := strings.Fields(element)
		if len(words) < 2 || !slices.ContainsFunc(words[1:], isOption) {
			continue
		}
		return fmt.Sprintf("options[%d] %q holds several options, and each is an element of its own: %s", i, element, strings.ReplaceAll(quoted(unpack(words)), `" "`, `", "`))
	}
	return ""
}

// isOption reports whether a word is an option of NVRTC, or of another compiler.
func isOption(word string) bool {
	name, _, _ := strings.Cut(word, "=")
	if letters := strings.TrimLeft(word, "-"); letters == word || letters == "" {
		return false
	}
	if optionByName[name] != nil {
		return true
	}
	if len(word) > 2 {
		if spec := optionByName[word[:2]]; spec != nil && spec.kind == joinedOption {
			return true
		}
	}
	return slices.ContainsFunc(foreignOptions, func(h hint) bool { return h.pattern().MatchString(word) })
}

// unpack puts the words of a command line together to options.
func unpack(words []string) []string {
	var options []string
	for _, w := range words {
		n := len(options) - 1
		if n < 0 || strings.HasPrefix(w, "-") || optionByName[options[n]] == nil {
			options = append(options, w)
			continue
		}
		switch spec := optionByName[options[n]]; {
		case spec.kind == flagOption:
			options = append(options, w)
		case spec.kind == joinedOption && options[n] == spec.short:
			options[n] += w
		default:
			options[n] += "=" + w
		}
	}
	return options
}
