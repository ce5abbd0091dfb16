package forms

import "strings"

// perModule is how many kernels a module has at most.
const perModule = 256

// A Module is a PTX text with the kernels of some cases.
//
// Safe for concurrent use after it is made; its fields must not change.
type Module struct {
	Target Target
	Cases  []*Case
}

// Modules puts cases into modules, those of a target together. Cases without a target are left out.
//
// Safe for concurrent use.
func Modules(cases []*Case) []*Module {
	var all []*Module
	open := map[Target]*Module{}
	for _, c := range cases {
		t, ok := c.Target()
		if !ok {
			continue
		}
		m := open[t]
		if m == nil || len(m.Cases) == perModule {
			m = &Module{Target: t}
			open[t] = m
			all = append(all, m)
		}
		m.Cases = append(m.Cases, c)
	}
	return all
}

// Text is the module's PTX.
func (m *Module) Text() string {
	var b strings.Builder
	b.WriteString(m.head())
	for _, c := range m.Cases {
		b.WriteString(c.Text())
		b.WriteString("\n")
	}
	return b.String()
}

// head is what stands before the kernels: the version, the target and the constants that ld.const reads.
func (m *Module) head() string {
	return ".version " + m.Target.Version + "\n.target " + m.Target.Arch + "\n.address_size 64\n" +
		".const .align 16 .b8 constants[24] = {0x80, 0xff, 0x7f, 0x01, 0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10, 0x89, 0xab, 0xcd, 0xef, 1, 2, 3, 4, 5, 6, 7, 8};\n"
}
