package engine

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// print writes to where the device's output goes.
func (g *grid) print(s string) {
	if g.config.Output == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	io.WriteString(g.config.Output, s) // a writer's error is its owner's
}

// vprintf prints as C's printf; its second argument points to the values, each aligned to its own size. It returns how many there were.
// See the CUDA C++ Programming Guide, "Formatted Output".
func vprintf(w *warp, o *op, lane int, args [5]uint64) uint64 {
	format, ok := w.text(o, lane, args[0])
	if !ok {
		return 0
	}
	p := &printer{w: w, o: o, lane: lane, at: args[1], format: format}
	p.print(format)
	if w.fault != nil {
		return 0
	}
	w.block.grid.print(p.out.String())
	return uint64(p.count)
}

// A printer is a printf under way.
type printer struct {
	w      *warp
	o      *op
	lane   int
	format string
	at     uint64 // the next value
	count  int
	out    strings.Builder
}

// value reads the next value of 4 or 8 bytes.
func (p *printer) value(size uint64) uint64 {
	p.at = (p.at + size - 1) / size * size
	plain := *p.o
	plain.align = 0
	b := p.w.bytes(&plain, p.lane, "", p.at, size)
	p.at += size
	p.count++
	if b == nil {
		p.w.fault.Detail = fmt.Sprintf("printf: value %d of the format %q: %s", p.count, p.format, p.w.fault.Detail)
		return 0
	}
	p.w.printed(&plain, p.lane, p.at-size, size)
	return little(b)
}

// A directive is %[flags][width][.precision][length]conversion.
type directive struct {
	flags     string
	width     int
	precision int // -1 where not given
	size      int // 1 of hh, 2 of h, 8 of l and ll, else 4
	verb      byte
}

// print writes a format with its values. A directive that is none is written as it stands.
func (p *printer) print(format string) {
	for {
		i := strings.IndexByte(format, '%')
		if i < 0 || p.w.fault != nil {
			p.out.WriteString(format)
			return
		}
		p.out.WriteString(format[:i])
		d, n := p.directive(format[i:])
		if d.verb == 0 {
			p.out.WriteString(format[i : i+n])
		} else {
			p.convert(d)
		}
		format = format[i+n:]
	}
}

// directive reads one and its length; its verb is 0 if it is none.
func (p *printer) directive(s string) (directive, int) {
	d := directive{precision: -1, size: 4}
	i := 1
	for i < len(s) && strings.IndexByte("-+ #0", s[i]) >= 0 {
		d.flags += s[i : i+1]
		i++
	}
	number := func() (n int) {
		if i < len(s) && s[i] == '*' {
			i++
			return int(int32(p.value(4)))
		}
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			n = min(10*n+int(s[i]-'0'), 1<<12)
			i++
		}
		return n
	}
	if d.width = number(); d.width < 0 {
		d.flags, d.width = d.flags+"-", -d.width
	}
	if i < len(s) && s[i] == '.' {
		i++
		d.precision = max(number(), -1)
	}
	for i < len(s) && strings.IndexByte("hljztL", s[i]) >= 0 {
		switch s[i] {
		case 'h':
			d.size /= 2
		default:
			d.size = 8
		}
		i++
	}
	if i < len(s) && strings.IndexByte("diouxXcspfFeEgGaA%", s[i]) >= 0 {
		d.verb = s[i]
		i++
	}
	return d, i
}

// convert writes one value.
func (p *printer) convert(d directive) {
	switch d.verb {
	case '%':
		p.out.WriteByte('%')
	case 'd', 'i':
		v := int64(p.value(uint64(max(d.size, 4))))
		switch d.size {
		case 1:
			v = int64(int8(v))
		case 2:
			v = int64(int16(v))
		case 4:
			v = int64(int32(v))
		}
		digits := strconv.FormatUint(uint64(max(v, -v)), 10)
		if v == math.MinInt64 {
			digits = "9223372036854775808"
		}
		p.integer(d, digits, v < 0, "")
	case 'u', 'o', 'x', 'X':
		v := p.value(uint64(max(d.size, 4)))
		if d.size < 8 {
			v &= 1<<(8*d.size) - 1
		}
		base := map[byte]int{'u': 10, 'o': 8, 'x': 16, 'X': 16}[d.verb]
		digits, prefix := strconv.FormatUint(v, base), ""
		if strings.Contains(d.flags, "#") && v != 0 {
			prefix = map[byte]string{'o': "0", 'x': "0x", 'X': "0X"}[d.verb]
		}
		if d.verb == 'X' {
			digits = strings.ToUpper(digits)
		}
		d.flags = strings.NewReplacer("+", "", " ", "").Replace(d.flags)
		p.integer(d, digits, false, prefix)
	case 'c':
		p.pad(d, "", string([]byte{byte(p.value(4))}), false)
	case 's':
		at := p.value(8)
		if p.w.fault != nil {
			return
		}
		if at == 0 {
			p.pad(d, "", "(null)", false)
			return
		}
		s, ok := p.w.text(p.o, p.lane, at)
		if ok && d.precision >= 0 && d.precision < len(s) {
			s = s[:d.precision]
		}
		p.pad(d, "", s, false)
	case 'p':
		p.pad(d, "", fmt.Sprintf("%#x", p.value(8)), false)
	default:
		p.float(d, math.Float64frombits(p.value(8)))
	}
}

// integer writes digits with their sign and precision.
func (p *printer) integer(d directive, digits string, negative bool, prefix string) {
	if d.precision >= 0 {
		if d.precision == 0 && digits == "0" {
			digits = ""
		}
		digits = strings.Repeat("0", max(d.precision-len(digits), 0)) + digits
	}
	p.pad(d, sign(d, negative)+prefix, digits, d.precision < 0)
}

func sign(d directive, negative bool) string {
	switch {
	case negative:
		return "-"
	case strings.Contains(d.flags, "+"):
		return "+"
	case strings.Contains(d.flags, " "):
		return " "
	}
	return ""
}

// float writes a floating-point number.
func (p *printer) float(d directive, v float64) {
	upper := d.verb < 'a'
	verb := d.verb | 0x20
	var s string
	negative := math.Signbit(v)
	finite := !math.IsInf(v, 0) && !math.IsNaN(v)
	switch {
	case math.IsNaN(v):
		s = "nan"
	case math.IsInf(v, 0):
		s = "inf"
	case verb == 'a':
		s = hexFloat(math.Abs(v), d.precision)
	default:
		if d.precision < 0 {
			d.precision = 6
		}
		if verb == 'g' && d.precision == 0 {
			d.precision = 1
		}
		s = strconv.FormatFloat(math.Abs(v), verb, d.precision, 64)
	}
	if upper {
		s = strings.ToUpper(s)
	}
	p.pad(d, sign(d, negative), s, finite)
}

// hexFloat is C's %a, which writes the exponent without leading zeros.
func hexFloat(v float64, precision int) string {
	s := strconv.FormatFloat(v, 'x', precision, 64)
	i := strings.IndexByte(s, 'p')
	exp := strings.TrimLeft(s[i+2:], "0")
	if exp == "" {
		exp = "0"
	}
	return s[:i+2] + exp
}

// pad writes a value in its width; zero says that the flag 0 fills between sign and digits.
func (p *printer) pad(d directive, prefix, s string, zero bool) {
	n := max(d.width-len(prefix)-len(s), 0)
	switch {
	case strings.Contains(d.flags, "-"):
		p.out.WriteString(prefix + s + strings.Repeat(" ", n))
	case zero && strings.Contains(d.flags, "0"):
		p.out.WriteString(prefix + strings.Repeat("0", n) + s)
	default:
		p.out.WriteString(strings.Repeat(" ", n) + prefix + s)
	}
}
