package misuse

// The kinds of input that a linker takes (CUjitInputType).
const (
	linkCubin   = 0
	linkPTX     = 1
	linkFatbin  = 2
	linkNothing = 77
)

// links link what does not fit.
func links() []Scenario {
	return []Scenario{
		{Name: "linker", Do: func(p *Process) {
			p.Ask("null", "cuLinkCreate_v2", 0, 0, 0, 0)
			p.Ask("options without values", "cuLinkCreate_v2", 1, 0, 0, p.Out())
			p.Ask("null", "cuLinkDestroy", 0)
			p.Ask("null state", "cuLinkComplete", 0, p.Out(), p.Out())
			p.Ask("null state", "cuLinkAddData_v2", 0, linkPTX, p.Text(plain), uintptr(len(plain)+1), p.Text("x"), 0, 0, 0)
			link := func() uintptr {
				out := p.Out()
				p.Must("cuLinkCreate_v2", 0, 0, 0, out)
				return p.Get(out)
			}
			add := func(label string, state, kind uintptr, text string, size int) {
				p.Ask(label, "cuLinkAddData_v2", state, kind, p.Text(text), uintptr(size), p.Text("x"), 0, 0, 0)
			}
			s := link()
			p.Ask("nothing", "cuLinkComplete", s, p.Out(), p.Out())
			p.Try("cuLinkDestroy", s)
			s = link()
			p.Ask("null data", "cuLinkAddData_v2", s, linkPTX, 0, 10, p.Text("x"), 0, 0, 0)
			add("no bytes", s, linkPTX, plain, 0)
			add("no such kind", s, linkNothing, plain, len(plain)+1)
			p.Try("cuLinkDestroy", s)
			s = link()
			add("garbage", s, linkPTX, "this is not PTX", 16)
			p.Try("cuLinkDestroy", s)
			s = link()
			add("garbage for a cubin", s, linkCubin, "this is no cubin", 17)
			p.Try("cuLinkDestroy", s)
			s = link()
			add("garbage for a fatbin", s, linkFatbin, "this is no fatbin", 18)
			p.Try("cuLinkDestroy", s)
			s = link()
			add("with a function that is not there", s, linkPTX, caller, len(caller)+1)
			p.Ask("with a function that is not there", "cuLinkComplete", s, p.Out(), p.Out())
			p.Try("cuLinkDestroy", s)
			s = link()
			add("once", s, linkPTX, plain, len(plain)+1)
			add("twice", s, linkPTX, plain, len(plain)+1)
			p.Ask("the same twice", "cuLinkComplete", s, p.Out(), p.Out())
			p.Try("cuLinkDestroy", s)
			s = link()
			add("right", s, linkPTX, plain, len(plain)+1)
			p.Ask("null results", "cuLinkComplete", s, 0, 0)
			p.Try("cuLinkDestroy", s)
			s = link()
			add("right again", s, linkPTX, plain, len(plain)+1)
			p.Ask("right", "cuLinkComplete", s, p.Out(), p.Out())
			add("after it was complete", s, linkPTX, caller, len(caller)+1)
			p.Ask("again", "cuLinkComplete", s, p.Out(), p.Out())
			p.Ask("", "cuLinkDestroy", s)
		}},
	}
}

const caller = head + ".extern .func f(); .visible .entry calling() { call f, (); ret; }"
