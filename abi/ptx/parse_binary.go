package ptx

import "math"

// binaryOperators by precedence, lowest first; those of two bytes stand before their first byte.
var binaryOperators = [...][]string{{"||"}, {"&&"}, {"|"}, {"^"}, {"&"}, {"==", "!="}, {"<=", ">=", "<", ">"}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "%"}}

// operator returns the operator at the token and its level, "" for none.
func (p *parser) operator() (op string, level int) {
	if !p.atOperator() || p.tok == '?' {
		return "", 0
	}
	two := ""
	if p.end < len(p.src) {
		two = p.src[p.start : p.end+1]
	}
	one := p.text()
	for _, s := range []string{two, one} {
		for l, ops := range binaryOperators {
			for _, o := range ops {
				if o == s {
					return s, l
				}
			}
		}
	}
	return "", 0
}

// binary goes on from left with operators of level low and above.
func (p *parser) binary(left value, low int) value {
	if !p.enter() {
		return left
	}
	defer p.leave()
	for p.err == nil {
		op, level := p.operator()
		if op == "" || level < low {
			return left
		}
		at, line := p.start, p.line
		p.end = p.start + len(op)
		p.next()
		right := p.binary(p.unary(), level+1)
		if p.err != nil {
			return left
		}
		var problem string
		if left, problem = apply(op, left, right); problem != "" {
			p.failAt(at, line, "%s", problem)
		}
	}
	return left
}

func apply(op string, a, b value) (value, string) {
	if a.float || b.float {
		return applyFloat(op, a, b)
	}
	r := value{unsigned: a.unsigned || b.unsigned}
	x, y := a.bits, b.bits
	signed := !r.unsigned
	switch op {
	case "+":
		r.bits = x + y
	case "-":
		r.bits = x - y
	case "*":
		r.bits = x * y
	case "/", "%":
		return divide(op, r, x, y)
	case "&":
		r.bits = x & y
	case "|":
		r.bits = x | y
	case "^":
		r.bits = x ^ y
	case "<<", ">>":
		if y > 63 {
			return r, "a shift by more than 63"
		}
		r.unsigned = a.unsigned
		switch {
		case op == "<<":
			r.bits = x << y
		case a.unsigned:
			r.bits = x >> y
		default:
			r.bits = uint64(int64(x) >> y)
		}
	case "&&":
		r = boolean(x != 0 && y != 0)
	case "||":
		r = boolean(x != 0 || y != 0)
	case "==":
		r = boolean(x == y)
	case "!=":
		r = boolean(x != y)
	case "<":
		r = boolean(signed && int64(x) < int64(y) || !signed && x < y)
	case "<=":
		r = boolean(signed && int64(x) <= int64(y) || !signed && x <= y)
	case ">":
		r = boolean(signed && int64(x) > int64(y) || !signed && x > y)
	case ">=":
		r = boolean(signed && int64(x) >= int64(y) || !signed && x >= y)
	}
	return r, ""
}

func divide(op string, r value, x, y uint64) (value, string) {
	switch {
	case y == 0:
		return r, "division by zero"
	case op == "/" && r.unsigned:
		r.bits = x / y
	case op == "/":
		r.bits = uint64(int64(x) / int64(y))
	default: // always unsigned
		r.bits, r.unsigned = x%y, true
	}
	return r, ""
}

func applyFloat(op string, a, b value) (value, string) {
	if a.float != b.float || a.exact || b.exact {
		return a, "an operator between numbers of two kinds, or on a floating-point constant given by its bits"
	}
	x, y := math.Float64frombits(a.bits), math.Float64frombits(b.bits)
	switch op {
	case "+":
		x += y
	case "-":
		x -= y
	case "*":
		x *= y
	case "/":
		x /= y
	case "==":
		return boolean(x == y), ""
	case "!=":
		return boolean(x != y), ""
	case "<":
		return boolean(x < y), ""
	case "<=":
		return boolean(x <= y), ""
	case ">":
		return boolean(x > y), ""
	case ">=":
		return boolean(x >= y), ""
	default:
		return a, "an operator that floating-point numbers don't have"
	}
	return value{float: true, bits: math.Float64bits(x)}, ""
}
