package engine

import "github.com/purecuda/purecuda/abi/ptx"

// layShared gives the variables in shared memory their places. A variable that several kernels reach has the same place in each;
// those of one kernel alone follow.
func (l *loader) layShared() {
	scans := map[*function]*scan{}
	for _, f := range l.program.functions {
		if f.source.Body != nil {
			s := l.scan(f)
			scans[f] = s
			f.calls, f.indirect, f.own = s.calls, s.indirect, s.own
		}
	}
	users := map[*variable][]*function{}
	reach := map[*function][]*variable{}
	var order []*variable
	for _, k := range l.program.functions {
		if !k.source.Entry || k.source.Body == nil {
			continue
		}
		for _, f := range l.reachable(k) {
			if scans[f] == nil {
				continue
			}
			for _, v := range scans[f].shared {
				if u := users[v]; len(u) == 0 || u[len(u)-1] != k {
					if len(u) == 0 {
						order = append(order, v)
					}
					users[v] = append(u, k)
					reach[k] = append(reach[k], v)
				}
			}
		}
	}
	common := int64(0)
	for _, v := range order {
		if len(users[v]) > 1 && !v.dynamic {
			v.offset = roundUp(common, v.align)
			common = v.offset + v.size
		}
	}
	for k, vars := range reach {
		end, align := int64(0), int64(16)
		for _, v := range vars {
			if len(users[v]) > 1 && !v.dynamic {
				end = common
			}
		}
		for _, v := range vars {
			if v.dynamic {
				align = max(align, v.align)
			} else if len(users[v]) == 1 {
				v.offset = roundUp(end, v.align)
				end = v.offset + v.size
			}
		}
		k.shared = int(end)
		k.dynamic = roundUp(end, align)
	}
}

func roundUp(n, align int64) int64 { return (n + align - 1) / align * align }

// A scan is what a function's text refers to.
type scan struct {
	shared   []*variable
	calls    []*function
	indirect bool
	own      map[*ptx.Variable]*variable // shared variables that it declares
}

// scan walks a function's text.
func (l *loader) scan(f *function) *scan {
	s := &scan{own: map[*ptx.Variable]*variable{}}
	seenV, seenF := map[*variable]bool{}, map[*function]bool{}
	var names []map[string]*variable
	symbol := func(name string) {
		for i := len(names) - 1; i >= -1; i-- {
			v := l.program.globals[name]
			if i >= 0 {
				v = names[i][name]
			}
			if v == nil {
				continue
			}
			if v.space == ptx.SpaceShared && !seenV[v] {
				seenV[v] = true
				s.shared = append(s.shared, v)
			}
			return
		}
		if g := l.functions[name]; g != nil && !seenF[g] {
			seenF[g] = true
			s.calls = append(s.calls, g)
		}
	}
	var block func(b *ptx.Block)
	block = func(b *ptx.Block) {
		scope := map[string]*variable{}
		names = append(names, scope)
		for _, st := range b.Statements {
			switch st := st.(type) {
			case *ptx.Block:
				block(st)
			case *ptx.Variable:
				if st.Space == ptx.SpaceShared {
					v := &variable{name: st.Name, space: st.Space, size: st.Size(), align: int64(st.Align()), source: st}
					v.dynamic = st.Linkage == ptx.LinkExtern || v.size == 0
					scope[st.Name], s.own[st] = v, v
				}
			case *ptx.Instruction:
				if c, ok := st.Call(); ok {
					if _, direct := c.Target.(*ptx.Symbol); !direct {
						s.indirect = true
					}
				}
				for _, x := range st.Operands {
					symbols(x, symbol)
				}
			}
		}
		names = names[:len(names)-1]
	}
	block(f.source.Body)
	return s
}

// symbols calls f for each name in an operand that may be a variable or function.
func symbols(x ptx.Operand, f func(string)) {
	switch x := x.(type) {
	case *ptx.Symbol:
		f(x.Name)
	case *ptx.Element:
		f(x.Name)
	case *ptx.Generic:
		f(x.Name)
	case *ptx.Address:
		symbols(x.Base, f)
	case *ptx.Vector:
		for _, e := range x.Elems {
			symbols(e, f)
		}
	case *ptx.List:
		for _, e := range x.Elems {
			symbols(e, f)
		}
	case *ptx.Pair:
		symbols(x.First, f)
		symbols(x.Second, f)
	}
}
