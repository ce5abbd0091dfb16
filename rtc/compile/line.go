package compile

import "bytes"

// A line is what can be said of a line of spliced text up to a place in it,
// whatever comes before the line: a comment or a literal that goes on may end in
// it, and only a comment leaves a # behind it the first of its line. That a
// directive is none, because it is in a comment or a literal of several lines, can't
// be said: that depends on the dialect and on every character before, and whoever
// writes a source can have it look so.
type line struct {
	at, begin int
	solid     bool // something else than blanks is in it
	closed    bool // a comment may end in it
	directive bool // a # in it may be the first
}

// mayBegin reports whether a # here may be the first of its line.
func (l *line) mayBegin() bool { return !l.solid || l.closed }

// mayDirect reports whether here may be in a directive.
func (l *line) mayDirect() bool { return l.directive || l.closed }

// goOn goes on to a place; it's quick if that is behind the last one.
func (l *line) goOn(text []byte, to int) {
	if to < l.at {
		*l = line{}
	}
	if n := bytes.LastIndexByte(text[l.at:to], '\n'); n >= 0 {
		*l = line{at: l.at + n + 1, begin: l.at + n + 1}
	}
	for ; l.at < to; l.at++ {
		switch text[l.at] {
		case ' ', '\t', '\v', '\f', '\r':
			continue
		case '#':
			l.directive = l.directive || l.mayBegin()
		case ':':
			// The % of %: was solid itself: whatever there was before, it counts.
			l.directive = l.directive || l.at > l.begin && text[l.at-1] == '%'
		case '/':
			l.closed = l.closed || l.at > l.begin && text[l.at-1] == '*'
		}
		l.solid = true
	}
}
