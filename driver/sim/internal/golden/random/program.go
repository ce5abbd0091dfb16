package random

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/purecuda/purecuda/driver/sim/internal/golden"
)

// A Program is a kernel k with its sizes. Its parameters are an input and an output buffer.
//
// Safe for concurrent use after it is made; its fields must not change.
type Program struct {
	Seed  int
	Text  string
	Grid  [3]uint32
	Block [3]uint32
}

// inputWords is how many words of input a program reads.
const inputWords = 1024

// New makes the program of a seed.
//
// Safe for concurrent use.
func New(seed int) *Program {
	w := &writer{dice: golden.NewDice(fmt.Sprint("program ", seed))}
	p := &Program{Seed: seed, Grid: [3]uint32{1 + uint32(w.dice.Below(4)), 1, 1}, Block: [3]uint32{32 * (1 + uint32(w.dice.Below(4))), 1, 1}}
	w.threads = int(p.Block[0])
	p.Text = w.module()
	return p
}

// Threads is how many threads run.
func (p *Program) Threads() int { return int(p.Grid[0] * p.Block[0]) }

// Input is what the program reads: words of every kind.
func (p *Program) Input() []byte {
	d := golden.NewDice(fmt.Sprint("input ", p.Seed))
	var b []byte
	for range inputWords {
		v := uint32(d.Next())
		switch d.Below(6) {
		case 0:
			v >>= d.Below(32)
		case 1:
			v = v & 15
		case 2: // a floating-point number that is near 1
			v = v&0x807fffff | uint32(120+d.Below(16))<<23
		case 3: // the upper half of one in double precision, or of two in half
			v = v&0x800fffff | uint32(0x3f0+d.Below(32))<<20
		case 4:
			v = []uint32{0, 1, 0xffffffff, 0x80000000, 0x7fffffff, 0x3f800000, 0x80000000, 0x7f800000, 0x7fc00000, 0x00000001}[d.Below(10)]
		}
		b = binary.LittleEndian.AppendUint32(b, v)
	}
	return b
}

// Run runs the program and gives its output: the registers of each thread.
func (p *Program) Run(m golden.Machine) ([]byte, error) {
	module, err := m.Load(p.Text)
	if err != nil {
		return nil, err
	}
	out := make([]byte, p.Threads()*outBytes)
	err = module.Run(golden.Launch{Kernel: "k", Grid: p.Grid, Block: p.Block, Args: []golden.Arg{{Buffer: p.Input()}, {Buffer: out}}})
	if e := module.Close(); err == nil {
		err = e
	}
	return out, err
}

// Where describes the first word in which two outputs differ: "thread 3, %r4: 0x1 instead of 0x2".
func (p *Program) Where(want, got []byte) string {
	for i := 0; i+4 <= len(want) && i+4 <= len(got); i += 4 {
		if a, b := binary.LittleEndian.Uint32(want[i:]), binary.LittleEndian.Uint32(got[i:]); a != b {
			return fmt.Sprintf("thread %d, %s: %#x instead of %#x", i/outBytes, slotName(i%outBytes), b, a)
		}
	}
	return "the lengths differ"
}

// A bank is the registers of one type.
type bank struct {
	letter, decl, memory string
	n, size              int
}

// banks are the registers that instructions work on.
var banks = []bank{
	{"d", "b64", "b64", 5, 8}, {"g", "f64", "f64", 4, 8}, {"r", "b32", "b32", 10, 4}, {"f", "f32", "f32", 7, 4}, {"h", "b16", "b16", 4, 2}, {"p", "pred", "", 5, 4},
}

// outBytes is the size of a thread's output.
var outBytes = func() int {
	n := 0
	for _, b := range banks {
		n += b.n * b.size
	}
	return (n + 7) / 8 * 8
}()

func slotName(at int) string {
	for _, b := range banks {
		if at < b.n*b.size {
			return fmt.Sprintf("%%%s%d", b.letter, at/b.size)
		}
		at -= b.n * b.size
	}
	return "padding"
}

// A writer writes a program.
type writer struct {
	dice    *golden.Dice
	threads int // of a block
	out     strings.Builder
	indent  int
	labels  int
	depth   int // of loops and branches
}

func (w *writer) p(format string, args ...any) {
	w.out.WriteString(strings.Repeat("\t", w.indent))
	fmt.Fprintf(&w.out, format+"\n", args...)
}

func (w *writer) label() string {
	w.labels++
	return fmt.Sprintf("L%d", w.labels)
}

// maxDepth is how deep loops and branches go.
const maxDepth = 3

func (w *writer) module() string {
	w.p(".version 7.0\n.target sm_80\n.address_size 64\n")
	for i := range functions {
		w.function(i)
	}
	w.p(".visible .entry k(.param .u64 in, .param .u64 out)\n{")
	w.indent = 1
	for _, b := range banks {
		w.p(".reg .%s %%%s<%d>;", b.decl, b.letter, b.n)
	}
	w.p(".reg .b64 %%in, %%out, %%lo, %%t64;\n\t.reg .b32 %%me, %%gid, %%sh, %%t<4>, %%c<%d>, %%n<%d>;\n\t.reg .pred %%q<%d>;", maxDepth+1, maxDepth+1, maxDepth+1)
	w.p(".shared .align 16 .b8 shared[%d];\n\t.local .align 16 .b8 local[64];", 4*w.threads+counterBytes)
	w.begin()
	for range 3 + w.dice.Below(4) {
		w.straight(4 + w.dice.Below(8))
		w.meeting()
		w.structured()
	}
	w.end()
	w.indent = 0
	w.p("}")
	return w.out.String()
}

// begin fills the registers from the input and the block's memory.
func (w *writer) begin() {
	w.p("ld.param.u64 %%in, [in];\n\tld.param.u64 %%out, [out];\n\tcvta.to.global.u64 %%in, %%in;\n\tcvta.to.global.u64 %%out, %%out;")
	w.p("mov.u32 %%me, %%tid.x;\n\tmov.u32 %%t0, %%ctaid.x;\n\tmov.u32 %%t1, %%ntid.x;\n\tmad.lo.u32 %%gid, %%t0, %%t1, %%me;")
	w.p("mov.u64 %%lo, local;\n\tmov.u32 %%sh, shared;")
	at := 0
	for _, b := range banks {
		for i := range b.n {
			w.p("mad.lo.u32 %%t0, %%gid, %d, %d;\n\tand.b32 %%t0, %%t0, %d;\n\tcvt.u64.u32 %%t64, %%t0;\n\tadd.u64 %%t64, %%in, %%t64;", 8*(2*w.dice.Below(60)+1), 8*at, 4*inputWords-8)
			if b.letter == "p" {
				w.p("ld.global.u32 %%t0, [%%t64];\n\tand.b32 %%t0, %%t0, 1;\n\tsetp.ne.u32 %%p%d, %%t0, 0;", i)
			} else {
				w.p("ld.global.%s %%%s%d, [%%t64];", b.memory, b.letter, i)
			}
			at++
		}
	}
	for i := range 16 {
		w.p("st.local.u32 [%%lo+%d], %%r%d;", 4*i, i%10)
	}
	w.p("shl.b32 %%t0, %%me, 2;\n\tadd.u32 %%t0, %%sh, %%t0;\n\tmov.u32 %%t1, 0;\n\tst.shared.u32 [%%t0], %%t1;")
	over := w.label()
	w.p("setp.ge.u32 %%q0, %%me, %d;\n\t@%%q0 bra %s;\n\tst.shared.u32 [%%t0+%d], %%t1;\n%s:\n\tbar.sync 0;", counterBytes/4, over, 4*w.threads, over)
}

// end stores the registers.
func (w *writer) end() {
	w.p("mul.wide.u32 %%t64, %%gid, %d;\n\tadd.u64 %%out, %%out, %%t64;", outBytes)
	at := 0
	for _, b := range banks {
		for i := range b.n {
			if b.letter == "p" {
				w.p("selp.u32 %%t0, 1, 0, %%p%d;\n\tst.global.u32 [%%out+%d], %%t0;", i, at)
			} else {
				w.p("st.global.%s [%%out+%d], %%%s%d;", b.memory, at, b.letter, i)
			}
			at += b.size
		}
	}
	// Some threads end here, the others do something more.
	w.p("@%%p0 ret;\n\tatom.global.add.u32 %%r1, [%%out], %%r2;\n\tret;")
}
