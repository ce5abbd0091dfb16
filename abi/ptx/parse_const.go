package ptx

import (
	"math"
	"strconv"
	"strings"
)

// A value is a constant expression, worked out with 64 bits as PTX does.
type value struct {
	text     string // exact spelling of a plain literal with at most a minus; "" once worked out
	bits     uint64 // of an integer, or of a float64 (a float32 where single)
	unsigned bool   // .u64 rather than .s64
	float    bool
	single   bool // 0f…: stands alone
	exact    bool // 0f… or 0d…: takes no minus
}

// constant reads a constant expression. What is a plain literal keeps its spelling.
func (p *parser) constant() Operand {
	if p.tok == integer { // the common case, without the detour over a value
		bits, _ := p.literal()
		from, to := p.start, p.end
		if p.next(); !p.atOperator() {
			n := p.ints.alloc()
			n.Text, n.Value = p.src[from:to], int64(bits)
			return n
		}
		left := value{text: p.src[from:to], bits: bits, unsigned: p.src[to-1] == 'U' || bits > math.MaxInt64}
		return p.constantOperand(p.conditional(p.binary(left, 0)))
	}
	return p.constantOperand(p.expression())
}

func (p *parser) constantOperand(v value) Operand {
	if v.float {
		f := p.floats.alloc()
		*f = Float{Text: v.text, Bits: v.bits, Single: v.single}
		if f.Text == "" {
			f.Text = f.String()
		}
		return f
	}
	n := p.ints.alloc()
	n.Text, n.Value = v.text, int64(v.bits)
	if n.Text == "" && v.unsigned {
		n.Text = strconv.FormatUint(v.bits, 10)
	} else if n.Text == "" {
		n.Text = n.String()
	}
	return n
}

// number64 reads a constant expression of integers.
func (p *parser) number64() int64 {
	if p.tok == integer {
		bits, _ := p.literal()
		if p.next(); !p.atOperator() {
			return int64(bits)
		}
		return p.wantInteger(p.conditional(p.binary(value{bits: bits}, 0)))
	}
	return p.wantInteger(p.expression())
}

func (p *parser) wantInteger(v value) int64 {
	if v.float {
		p.expected("an integer")
	}
	return int64(v.bits)
}

// literal is the value of the integer token and whether it has the suffix U or is above the range of int64.
func (p *parser) literal() (bits uint64, unsigned bool) {
	s := p.text()
	if s[len(s)-1] == 'U' {
		s, unsigned = s[:len(s)-1], true
	}
	base := uint64(10)
	if len(s) > 1 && s[0] == '0' {
		switch s[1] | 0x20 {
		case 'x':
			s, base = s[2:], 16
		case 'b':
			s, base = s[2:], 2
		default:
			s, base = s[1:], 8
		}
	}
	limit := math.MaxUint64 / base
	for _, c := range []byte(s) {
		d := uint64(c - '0')
		if c > '9' {
			d = uint64(c|0x20-'a') + 10
		}
		if d >= base {
			p.fail("malformed number %q", clip(p.text()))
			return 0, false
		}
		next := bits*base + d
		if bits > limit || next < d {
			p.fail("number %q has more than 64 bits", clip(p.text()))
			return 0, false
		}
		bits = next
	}
	return bits, unsigned || bits > math.MaxInt64
}

// atOperator reports whether the token continues an expression.
func (p *parser) atOperator() bool {
	switch p.tok {
	case '+', '-', '*', '/', '%', '<', '>', '=', '!', '&', '^', '|', '?':
		return true
	}
	return false
}

func (p *parser) expression() value { return p.conditional(p.binary(p.unary(), 0)) }

// conditional reads "? a : b" behind a condition.
func (p *parser) conditional(cond value) value {
	if p.tok != '?' {
		return cond
	}
	if !p.enter() {
		return value{}
	}
	defer p.leave()
	p.next()
	yes := p.expression()
	p.want(':')
	no := p.expression()
	if cond.float || yes.float != no.float {
		p.fail("a condition on floating-point numbers or between numbers of two kinds")
		return value{}
	}
	chosen := no
	if cond.bits != 0 {
		chosen = yes
	}
	chosen.text = ""
	return chosen
}

func (p *parser) unary() (v value) {
	switch p.tok {
	case integer:
		v.bits, v.unsigned = p.literal()
		v.text = p.text()
		p.next()
		return v
	case float:
		return p.floatLiteral(p.text())
	case dotted:
		if s := p.text(); strings.Trim(s[1:], "0123456789") == "" {
			return p.floatLiteral("0" + s) // a dot behind an opcode would be a modifier
		}
		p.expected("a constant")
		return v
	case '-', '+', '~', '!':
		if !p.enter() {
			return v
		}
		defer p.leave()
		op, at, end := p.tok, p.start, p.end
		p.next()
		adjacent := p.start == end
		v = p.unary()
		return p.applyUnary(op, v, at, adjacent)
	case '(':
		return p.parenthesised()
	}
	p.expected("a constant")
	return v
}

func (p *parser) applyUnary(op kind, v value, at int, adjacent bool) value {
	if v.float && (v.exact || op == '~' || op == '!') {
		p.fail("an operator in front of a floating-point constant given by its bits")
		return value{}
	}
	switch op {
	case '-':
		switch {
		case v.text == "" || v.text[0] == '-':
			v.text = ""
		case adjacent && at+1+len(v.text) <= len(p.src) && p.src[at+1:at+1+len(v.text)] == v.text:
			v.text = p.src[at : at+1+len(v.text)]
		default:
			v.text = "-" + v.text
		}
		if v.float {
			v.bits ^= 1 << 63
		} else {
			v.bits = -v.bits
		}
	case '~':
		v.text, v.bits, v.unsigned = "", ^v.bits, true
	case '!':
		v = boolean(v.bits == 0)
	}
	return v
}

// parenthesised reads "(expression)", or a cast in front of an operand.
func (p *parser) parenthesised() value {
	if !p.enter() {
		return value{}
	}
	defer p.leave()
	p.next()
	if p.isDirective("s64") || p.isDirective("u64") {
		unsigned := p.isDirective("u64")
		p.next()
		p.want(')')
		v := p.unary()
		if v.float {
			p.fail("a cast of a floating-point constant")
		}
		v.text, v.unsigned = "", unsigned
		return v
	}
	v := p.expression()
	p.want(')')
	return v
}

func (p *parser) floatLiteral(s string) value {
	v := value{float: true, text: s}
	var err error
	if len(s) > 2 && s[0] == '0' && (s[1]|0x20 == 'f' || s[1]|0x20 == 'd') {
		v.exact, v.single = true, s[1]|0x20 == 'f'
		v.bits, err = strconv.ParseUint(s[2:], 16, 64)
	} else {
		var f float64
		if len(s) > 400 {
			p.fail("a floating-point number of %d digits", len(s))
			return v
		}
		if f, err = strconv.ParseFloat(s, 64); math.IsInf(f, 0) {
			err = nil // as in C, what is too large is infinite
		}
		v.bits = math.Float64bits(f)
	}
	if err != nil {
		p.fail("malformed number %q", clip(s))
	}
	p.next()
	return v
}

func boolean(b bool) value {
	if b {
		return value{bits: 1}
	}
	return value{}
}
