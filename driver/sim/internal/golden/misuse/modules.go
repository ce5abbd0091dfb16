package misuse

import "strings"

// modules load what is no module, and look for what is not in one.
func modules() []Scenario {
	return []Scenario{
		{Name: "no module", Do: func(p *Process) {
			p.Ask("null result", "cuModuleLoadDataEx", 0, p.Text(plain), 0, 0, 0)
			p.Ask("null", "cuModuleLoadDataEx", p.Out(), 0, 0, 0, 0)
			for _, image := range []struct{ label, text string }{
				{"empty", ""},
				{"garbage", "this is not PTX"},
				{"spaces", "   \n"},
				{"a comment", "// nothing\n"},
				{"zeros behind a byte", "\x01\x00\x00\x00"},
				{"an ELF header", "\x7fELF\x02\x01\x01" + strings.Repeat("\x00", 57)},
				{"no version", strings.Replace(plain, ".version 6.0", "", 1)},
				{"no target", strings.Replace(plain, ".target sm_52", "", 1)},
				{"version 99.9", strings.Replace(plain, ".version 6.0", ".version 99.9", 1)},
				{"version 9.9", strings.Replace(plain, ".version 6.0", ".version 9.9", 1)},
				{"version 0.1", strings.Replace(plain, ".version 6.0", ".version 0.1", 1)},
				{"version x", strings.Replace(plain, ".version 6.0", ".version x", 1)},
				{"target sm_100", strings.Replace(plain, ".version 6.0\n.target sm_52", ".version 8.6\n.target sm_100", 1)},
				{"target sm_120", strings.Replace(plain, ".version 6.0\n.target sm_52", ".version 8.7\n.target sm_120", 1)},
				{"target sm_90a", strings.Replace(plain, ".version 6.0\n.target sm_52", ".version 8.0\n.target sm_90a", 1)},
				{"target sm_100a", strings.Replace(plain, ".version 6.0\n.target sm_52", ".version 8.6\n.target sm_100a", 1)},
				{"target sm_999", strings.Replace(plain, "sm_52", "sm_999", 1)},
				{"target sm_10", strings.Replace(plain, "sm_52", "sm_10", 1)},
				{"a target too new for the version", strings.Replace(plain, "sm_52", "sm_90", 1)},
				{"target texmode", strings.Replace(plain, "sm_52", "texmode_unified", 1)},
				{"32-bit addresses", strings.Replace(plain, ".address_size 64", ".address_size 32", 1)},
				{"16-bit addresses", strings.Replace(plain, ".address_size 64", ".address_size 16", 1)},
				{"nothing but the head", head},
				{"cut", plain[:len(plain)/2]},
				{"a missing semicolon", strings.Replace(plain, "ret;", "ret", 1)},
				{"no such instruction", head + ".visible .entry k() { fly.u32; }"},
				{"no such register", head + ".visible .entry k() { mov.u32 %r1, 1; }"},
				{"no such label", head + ".visible .entry k() { bra NOWHERE; }"},
				{"no such type", head + ".visible .entry k() { .reg .b33 %r; }"},
				{"types that do not fit", head + ".visible .entry k() { .reg .f32 %f; .reg .b64 %d; mov.b64 %d, %f; }"},
				{"a kernel twice", head + ".visible .entry k() { ret; } .visible .entry k() { ret; }"},
				{"a register twice", head + ".visible .entry k() { .reg .b32 %r; .reg .b32 %r; ret; }"},
				{"an instruction of sm_90", head + ".visible .entry k() { barrier.cluster.arrive; ret; }"},
				{"an instruction of version 7.0", head + ".visible .entry k() { .reg .b32 %r; redux.sync.add.u32 %r, %r, 0xffffffff; ret; }"},
				{"an extern function", head + ".extern .func f(); .visible .entry k() { call f, (); ret; }"},
				{"an extern variable", head + ".extern .global .u32 v; .visible .entry k() { .reg .b32 %r; ld.global.u32 %r, [v]; st.global.u32 [v], %r; ret; }"},
				{"an extern function that nothing calls", head + ".extern .func f(); .visible .entry k() { ret; }"},
				{"too much shared memory", head + ".visible .entry k() { .shared .b8 s[300000]; .reg .b32 %r; mov.u32 %r, s; st.shared.u32 [%r], %r; ret; }"},
				{"more shared memory than without asking", head + ".visible .entry k() { .shared .b8 s[60000]; .reg .b32 %r; mov.u32 %r, s; st.shared.u32 [%r], %r; ret; }"},
				{"too much constant memory", head + ".visible .const .b8 c[100000]; .visible .entry k() { ret; }"},
				{"a block of 2048", head + ".visible .entry k() .maxntid 2048, 1, 1 { ret; }"},
				{"a required block of 2048", head + ".visible .entry k() .reqntid 2048, 1, 1 { ret; }"},
				{"a block of 0", head + ".visible .entry k() .maxntid 0, 1, 1 { ret; }"},
			} {
				p.Ask(image.label, "cuModuleLoadDataEx", p.Out(), p.Text(image.text), 0, 0, 0)
			}
			p.Ask("options without values", "cuModuleLoadDataEx", p.Out(), p.Text(plain), 1, 0, 0)
			p.Ask("an option that there is not", "cuModuleLoadDataEx", p.Out(), p.Text(plain), 1, p.Words(5000), p.Words(0))
			p.Ask("option -1", "cuModuleLoadDataEx", p.Out(), p.Text(plain), 1, p.Words(uint64(minus(1))), p.Words(0))
			p.Ask("optimisation level 9", "cuModuleLoadDataEx", p.Out(), p.Text(plain), 1, p.Words(7), p.Words(9))
			p.Ask("0 registers", "cuModuleLoadDataEx", p.Out(), p.Text(plain), 1, p.Words(0), p.Words(0))
			p.Ask("1000 registers", "cuModuleLoadDataEx", p.Out(), p.Text(plain), 1, p.Words(0), p.Words(1000))
		}},
		{Name: "module", Do: func(p *Process) {
			m := p.Module(plain)
			p.Ask("no such kernel", "cuModuleGetFunction", p.Out(), m, p.Text("none"))
			p.Ask("no name", "cuModuleGetFunction", p.Out(), m, p.Text(""))
			p.Ask("null name", "cuModuleGetFunction", p.Out(), m, 0)
			p.Ask("null result", "cuModuleGetFunction", 0, m, p.Text("nothing"))
			p.Ask("a variable", "cuModuleGetFunction", p.Out(), m, p.Text("counter"))
			p.Ask("null module", "cuModuleGetFunction", p.Out(), 0, p.Text("nothing"))
			p.Ask("no such variable", "cuModuleGetGlobal_v2", p.Out(), p.Out(), m, p.Text("none"))
			p.Ask("a kernel", "cuModuleGetGlobal_v2", p.Out(), p.Out(), m, p.Text("nothing"))
			p.Ask("no name", "cuModuleGetGlobal_v2", p.Out(), p.Out(), m, p.Text(""))
			p.Ask("null name", "cuModuleGetGlobal_v2", p.Out(), p.Out(), m, 0)
			p.Ask("null pointer", "cuModuleGetGlobal_v2", 0, p.Out(), m, p.Text("counter"))
			p.Ask("null size", "cuModuleGetGlobal_v2", p.Out(), 0, m, p.Text("counter"))
			p.Ask("nulls", "cuModuleGetGlobal_v2", 0, 0, m, p.Text("counter"))
			p.Ask("null module", "cuModuleGetGlobal_v2", p.Out(), p.Out(), 0, p.Text("counter"))
			p.Ask("null", "cuModuleUnload", 0)
			p.Ask("null", "cuModuleGetFunctionCount", 0, m)
			p.Ask("null module", "cuModuleGetFunctionCount", p.Out(), 0)
			p.Ask("null", "cuModuleEnumerateFunctions", 0, 1, m)
			p.Ask("none", "cuModuleEnumerateFunctions", p.Room(64), 0, m)
			p.Ask("more than there are", "cuModuleEnumerateFunctions", p.Room(800), 100, m)
			p.Ask("null module", "cuModuleEnumerateFunctions", p.Room(64), 1, 0)
		}},
		{Name: "library", Do: func(p *Process) {
			load := func(label string, image uintptr) uintptr {
				out := p.Out()
				p.Ask(label, "cuLibraryLoadData", out, image, 0, 0, 0, 0, 0, 0)
				return p.Get(out)
			}
			load("null", 0)
			load("empty", p.Text(""))
			p.Ask("null result", "cuLibraryLoadData", 0, p.Text(plain), 0, 0, 0, 0, 0, 0)
			for _, image := range []struct{ label, text string }{
				{"garbage", "this is not PTX"},
				{"cut", plain[:len(plain)/2]},
				{"version 99.9", strings.Replace(plain, ".version 6.0", ".version 99.9", 1)},
				{"target sm_999", strings.Replace(plain, "sm_52", "sm_999", 1)},
				{"no such instruction", head + ".visible .entry k() { fly.u32; }"},
			} {
				l := load(image.label, p.Text(image.text))
				if l == 0 {
					continue
				}
				k := p.Out()
				p.Ask(image.label, "cuLibraryGetKernel", k, l, p.Text("k"))
				p.Ask(image.label, "cuLibraryGetKernelCount", p.Out(), l)
			}
			l := load("", p.Text(plain))
			k := p.Make("cuLibraryGetKernel", l, p.Text("nothing"))
			p.Ask("no such kernel", "cuLibraryGetKernel", p.Out(), l, p.Text("none"))
			p.Ask("null name", "cuLibraryGetKernel", p.Out(), l, 0)
			p.Ask("null result", "cuLibraryGetKernel", 0, l, p.Text("nothing"))
			p.Ask("null library", "cuLibraryGetKernel", p.Out(), 0, p.Text("nothing"))
			p.Ask("no such variable", "cuLibraryGetGlobal", p.Out(), p.Out(), l, p.Text("none"))
			p.Ask("null name", "cuLibraryGetGlobal", p.Out(), p.Out(), l, 0)
			p.Ask("null library", "cuLibraryGetGlobal", p.Out(), p.Out(), 0, p.Text("counter"))
			p.Ask("null", "cuLibraryGetKernelCount", 0, l)
			p.Ask("null library", "cuLibraryGetKernelCount", p.Out(), 0)
			p.Ask("null", "cuLibraryEnumerateKernels", 0, 1, l)
			p.Ask("more than there are", "cuLibraryEnumerateKernels", p.Room(800), 100, l)
			p.Ask("null", "cuKernelGetFunction", 0, k)
			p.Ask("null kernel", "cuKernelGetFunction", p.Out(), 0)
			p.Ask("null", "cuKernelGetName", 0, k)
			p.Ask("null kernel", "cuKernelGetName", p.Out(), 0)
			p.Ask("null", "cuLibraryUnload", 0)
			p.Ask("", "cuLibraryUnload", l)
		}},
	}
}
