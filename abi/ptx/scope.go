package ptx

// names knows what an identifier stands for where the spelling alone doesn't tell: names that start with % are registers unless
// a variable was declared so, others are symbols unless a register was.
type names struct {
	known  map[string]nameKind  // of exact names
	ranges map[string]nameRange // of prefixes, for .reg .b32 r<4>
	undo   []undo
	vars   int // declared variables whose name starts with %
}

type nameKind byte

const (
	unknownName nameKind = iota
	registerName
	variableName
)

type nameRange struct{ count int }

type undo struct {
	name    string
	isRange bool
	kind    nameKind
	count   int
}

func (n *names) mark() int { return len(n.undo) }

// declare notes the names that the rule of spelling gets wrong and those that hide one of these.
func (n *names) declare(name string, kind nameKind) {
	old, known := n.known[name]
	percent := name[0] == '%'
	if percent == (kind == registerName) && !known {
		return
	}
	if n.known == nil {
		n.known = map[string]nameKind{}
	}
	n.undo = append(n.undo, undo{name: name, kind: old})
	n.known[name] = kind
	if percent {
		n.vars++
	}
}

func (n *names) declareRange(prefix string, count int) {
	if prefix[0] == '%' {
		return
	}
	if n.ranges == nil {
		n.ranges = map[string]nameRange{}
	}
	n.undo = append(n.undo, undo{name: prefix, isRange: true, count: n.ranges[prefix].count})
	n.ranges[prefix] = nameRange{count}
}

// reset ends the scopes that began after mark.
func (n *names) reset(mark int) {
	for i := len(n.undo) - 1; i >= mark; i-- {
		u := n.undo[i]
		switch {
		case u.isRange:
			n.ranges[u.name] = nameRange{u.count}
		case u.kind == unknownName:
			delete(n.known, u.name)
		default:
			n.known[u.name] = u.kind
		}
	}
	n.undo = n.undo[:mark]
}

func (n *names) isRegister(name string) bool {
	if name[0] == '%' {
		return n.vars == 0 || n.known[name] != variableName
	}
	if len(n.known) > 0 {
		if k := n.known[name]; k != unknownName {
			return k == registerName
		}
	}
	return len(n.ranges) > 0 && n.inRange(name)
}

func (n *names) inRange(name string) bool {
	i := len(name)
	for i > 0 && class[name[i-1]]&isDigit != 0 && len(name)-i < 9 {
		i--
	}
	if i == 0 || i == len(name) {
		return false
	}
	number := 0
	for _, c := range []byte(name[i:]) {
		number = number*10 + int(c-'0')
	}
	// The prefix itself may end in digits: r1<4> declares r10 to r13.
	for ; i < len(name); i++ {
		if number < n.ranges[name[:i]].count {
			return true
		}
		number -= int(name[i]-'0') * pow10(len(name)-i-1)
	}
	return false
}

func pow10(n int) int {
	v := 1
	for range n {
		v *= 10
	}
	return v
}
