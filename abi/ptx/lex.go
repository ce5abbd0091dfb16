package ptx

// A kind is a token's kind: one of those below, or the byte itself of a punctuation mark.
type kind byte

const (
	eof     kind = iota
	ident        // name, %r1, $L__BB0_1, _
	dotted       // .global, .1d, .shared::cluster
	integer      // 12, 0x1FU, 017, 0b101
	float        // 1.5, 1e3, 0f3F800000, 0d3FF0000000000000
	quoted       // "text"
)

const (
	isSpace = 1 << iota
	isStart // may start an identifier
	isPart  // may continue one
	isDigit
	isHex
	isPunct
)

var class = func() (t [256]byte) {
	for c := range 256 {
		b := byte(c)
		switch {
		case b == ' ', b == '\t', b == '\n', b == '\r', b == '\f':
			t[c] = isSpace
		case 'a' <= b|0x20 && b|0x20 <= 'z':
			t[c] = isStart | isPart
		case '0' <= b && b <= '9':
			t[c] = isPart | isDigit | isHex
		case b == '_', b == '$':
			t[c] = isStart | isPart
		case b == '%':
			t[c] = isStart
		}
		if 'a' <= b|0x20 && b|0x20 <= 'f' {
			t[c] |= isHex
		}
	}
	for _, b := range []byte("()[]{}<>,;:+-*/&|^!~=?@") {
		t[b] |= isPunct
	}
	return t
}()

// next moves to the next token. After the end and after an error it stays at eof, so every loop of the parser ends.
func (p *parser) next() {
	src, i := p.src, p.end
	for {
		for i < len(src) && class[src[i]]&isSpace != 0 {
			if src[i] == '\n' {
				p.line++
			}
			i++
		}
		if i+1 >= len(src) || src[i] != '/' || src[i+1] != '/' && src[i+1] != '*' {
			break
		}
		if i = p.comment(i); i < 0 {
			return
		}
	}
	p.start = i
	if i >= len(src) {
		p.tok, p.end = eof, i
		return
	}
	c := src[i]
	switch cl := class[c]; {
	case cl&isStart != 0:
		i++
		for i < len(src) && class[src[i]]&isPart != 0 {
			i++
		}
		p.tok, p.end = ident, i
		if i == p.start+1 && (c == '%' || c == '$') {
			p.tok = kind(c)
		}
	case c == '.':
		p.dotted(i + 1)
	case cl&isDigit != 0:
		p.number(i)
	case cl&isPunct != 0:
		p.tok, p.end = kind(c), i+1
	case c == '"':
		p.quoted(i + 1)
	default:
		p.unexpectedByte(c)
	}
}

func (p *parser) unexpectedByte(c byte) {
	p.tok, p.end = eof, p.start
	switch {
	case c == 0:
		p.fail("a NUL byte before the end")
	case c == '#':
		p.fail("a preprocessor line: PTX made by a compiler has none")
	case c >= 0x80:
		p.fail("byte %#02x outside ASCII", c)
	default:
		p.fail("unexpected byte %q", c)
	}
}

// comment returns where the comment at i ends, -1 after an error.
func (p *parser) comment(i int) int {
	src := p.src
	if src[i+1] == '/' {
		for i < len(src) && src[i] != '\n' {
			if src[i] == 0 {
				p.start = i
				p.unexpectedByte(0)
				return -1
			}
			i++
		}
		return i
	}
	p.start = i
	line := p.line
	for i += 2; i+1 < len(src); i++ {
		switch {
		case src[i] == '*' && src[i+1] == '/':
			return i + 2
		case src[i] == '\n':
			p.line++
		case src[i] == 0:
			p.start = i
			p.unexpectedByte(0)
			return -1
		}
	}
	p.line = line
	p.fail("comment without end")
	return -1
}

// dotted reads .name and .name::name from behind the dot.
func (p *parser) dotted(i int) {
	src := p.src
	for {
		from := i
		for i < len(src) && class[src[i]]&isPart != 0 {
			i++
		}
		if i == from {
			p.fail("a dot without a name behind it")
			return
		}
		if i+2 < len(src) && src[i] == ':' && src[i+1] == ':' && class[src[i+2]]&isPart != 0 {
			i += 2
			continue
		}
		break
	}
	p.tok, p.end = dotted, i
}

// quoted reads a string. PTX has no escapes: a string ends at the next quote, whatever stands before it. A backslash there is refused,
// since a reader that took it for an escape would see another program.
func (p *parser) quoted(i int) {
	for ; i < len(p.src); i++ {
		switch c := p.src[i]; {
		case c == '"':
			p.tok, p.end = quoted, i+1
			return
		case c == '\\' && i+1 < len(p.src) && p.src[i+1] == '"':
			p.fail("a backslash before the quote in a string")
			return
		case c < ' ' && c != '\t':
			p.fail("control byte %#02x in a string", c)
			return
		}
	}
	p.fail("string without end")
}

// number reads a literal. Its value is worked out where it is used.
func (p *parser) number(i int) {
	src, at := p.src, i
	p.tok = integer
	digits := func(mask byte) int {
		from := i
		for i < len(src) && class[src[i]]&mask != 0 {
			i++
		}
		return i - from
	}
	second := byte(0)
	if src[i] == '0' && i+1 < len(src) {
		second = src[i+1] | 0x20
	}
	ok := true
	switch second {
	case 'x':
		i += 2
		ok = digits(isHex) > 0
	case 'b':
		i += 2
		ok = digits(isDigit) > 0
	case 'f', 'd':
		i += 2
		n := digits(isHex)
		ok = second == 'f' && n == 8 || second == 'd' && n == 16
		p.tok = float
	default:
		digits(isDigit)
		if i < len(src) && src[i] == '.' {
			p.tok = float
			i++
			digits(isDigit)
		}
		if i < len(src) && src[i]|0x20 == 'e' {
			p.tok = float
			if i++; i < len(src) && (src[i] == '+' || src[i] == '-') {
				i++
			}
			ok = digits(isDigit) > 0
		}
	}
	if p.tok == integer && i < len(src) && src[i] == 'U' {
		i++
	}
	if !ok || i < len(src) && class[src[i]]&isPart != 0 {
		p.fail("malformed number %q", clip(src[at:min(i+1, len(src))]))
		return
	}
	p.end = i
}

// clip shortens what a message quotes.
func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "..."
	}
	return s
}
