package forms

import (
	"fmt"
	"strings"
)

// blockThreads is how many threads a block of a case's kernel has.
const blockThreads = 128

// Extra is what the kernel's third parameter, extra, holds.
//
// Safe for concurrent use; it must not be changed.
var Extra = [16]byte{0x80, 0xff, 0x7f, 0x01, 0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10, 0x89, 0xab, 0xcd, 0xef}

// Text is the case's kernel in PTX. Its parameters are where the operands lie, one array after the other, where the results go, likewise,
// and 16 bytes.
func (c *Case) Text() string {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	p(".visible .entry %s(.param .u64 in, .param .u64 out, .param .align 16 .b8 extra[16])\n{", c.Kernel())
	p("\t.reg .b64 %%in, %%out, %%at;\n\t.reg .b32 %%idx, %%ntx, %%tix, %%w;\n\t.reg .pred %%zz;")
	p("\tld.param.u64 %%in, [in];\n\tld.param.u64 %%out, [out];\n\tcvta.to.global.u64 %%in, %%in;\n\tcvta.to.global.u64 %%out, %%out;")
	p("\tmov.u32 %%idx, %%ctaid.x;\n\tmov.u32 %%ntx, %%ntid.x;\n\tmov.u32 %%tix, %%tid.x;\n\tmad.lo.u32 %%idx, %%idx, %%ntx, %%tix;")
	place := func(reg, base string, size, offset int) {
		p("\tmul.wide.u32 %s, %%idx, %d;\n\tadd.u64 %s, %s, %s;\n\tadd.u64 %s, %s, %d;", reg, size, reg, reg, base, reg, reg, offset)
	}
	offset := 0
	for j, name := range c.In {
		k, reg := kindOf(name), "%"+inNames[j:j+1]
		if at := "%p" + inNames[j:j+1]; mentions(c.Body, at) {
			p("\t.reg .b64 %s;", at)
			place(at, "%in", k.size, offset)
		}
		if mentions(c.Body, reg) {
			p("\t.reg .%s %s;", k.reg, reg)
			place("%at", "%in", k.size, offset)
			if name == "pred" {
				p("\tld.global.u8 %%w, [%%at];\n\tsetp.ne.u32 %s, %%w, 0;", reg)
			} else {
				p("\tld.global.b%d %s, [%%at];", 8*k.size, reg)
			}
		}
		offset += k.size * c.Count
	}
	offset = 0
	var after strings.Builder
	for j, name := range c.Out {
		inMemory := strings.HasPrefix(name, "*")
		k, reg, at := kindOf(name), "%"+outNames[j:j+1], "%p"+outNames[j:j+1]
		p("\t.reg .b64 %s;", at)
		place(at, "%out", k.size, offset)
		if !inMemory {
			p("\t.reg .%s %s;", k.reg, reg)
			if name == "pred" {
				fmt.Fprintf(&after, "\tselp.u32 %%w, 1, 0, %s;\n\tst.global.u8 [%s], %%w;\n", reg, at)
			} else {
				fmt.Fprintf(&after, "\tst.global.b%d [%s], %s;\n", 8*k.size, at, reg)
			}
		}
		offset += k.size * c.Count
	}
	p("\t%s", strings.ReplaceAll(c.Body, "\n", "\n\t"))
	b.WriteString(after.String())
	p("\tret;\n}")
	return b.String()
}

// mentions reports whether a text has a register of that name.
func mentions(text, reg string) bool {
	for {
		i := strings.Index(text, reg)
		if i < 0 {
			return false
		}
		text = text[i+len(reg):]
		if text == "" || !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789_", rune(text[0])) {
			return true
		}
	}
}

// OutBytes is how many bytes of results the kernel gives.
func (c *Case) OutBytes() int {
	n := 0
	for _, name := range c.Out {
		n += kindOf(name).size * c.Count
	}
	return n
}
