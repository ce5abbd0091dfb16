package random

import "fmt"

// functions is how many device functions a program has.
const functions = 3

// function writes a device function of two numbers.
func (w *writer) function(i int) {
	w.p(".func (.param .b32 y) fn%d(.param .b32 a, .param .b32 b)\n{", i)
	w.p("\t.reg .b32 %%r<10>;\n\t.reg .pred %%p<5>;\n\tld.param.u32 %%r0, [a];\n\tld.param.u32 %%r1, [b];")
	ops := []string{"add.u32", "sub.u32", "mul.lo.s32", "xor.b32", "shr.u32", "min.s32", "and.b32", "mul.hi.u32"}
	for k := 2; k < 8; k++ {
		w.p("\t%s %%r%d, %%r%d, %%r%d;", ops[w.dice.Below(len(ops))], k, w.dice.Below(k), w.dice.Below(k))
	}
	l := w.label()
	w.p("\tsetp.lt.s32 %%p0, %%r7, %%r%d;\n\t@%%p0 bra %s;\n\tadd.u32 %%r7, %%r7, %%r%d;\n%s:", w.dice.Below(7), l, w.dice.Below(7), l)
	if i > 0 && w.dice.OneIn(2) { // calls another
		w.p("\t{\n\t.param .b32 x0;\n\t.param .b32 x1;\n\t.param .b32 y0;\n\tst.param.b32 [x0], %%r7;\n\tst.param.b32 [x1], %%r0;\n\tcall (y0), fn%d, (x0, x1);\n\tld.param.b32 %%r7, [y0];\n\t}", i-1)
	}
	w.p("\tst.param.b32 [y], %%r7;\n\tret;\n}\n")
}

// structured writes a branch, a loop or a switch, with more of them in it.
func (w *writer) structured() {
	if w.depth == maxDepth {
		return
	}
	w.depth++
	defer func() { w.depth-- }()
	switch w.dice.Below(5) {
	case 0:
		w.branch(false)
	case 1:
		w.branch(true)
	case 2:
		w.table()
	default:
		w.loop()
	}
}

func (w *writer) inner() {
	w.straight(1 + w.dice.Below(6))
	if !w.dice.OneIn(3) {
		w.structured()
	}
	w.straight(w.dice.Below(4))
}

// branch writes an if, with else or without.
func (w *writer) branch(other bool) {
	l, end := w.label(), w.label()
	w.p("@%s%%p%d bra %s;", []string{"", "!"}[w.dice.Below(2)], w.dice.Below(5), l)
	w.inner()
	if other {
		w.p("bra %s;", end)
		w.p("%s:", l)
		w.inner()
		w.p("%s:", end)
	} else {
		w.p("%s:", l)
	}
}

// loop writes a loop that runs a different number of times in each thread, and that some leave early.
func (w *writer) loop() {
	d, top, end := w.depth, w.label(), w.label()
	w.p("mov.u32 %%c%d, 0;\n\tand.b32 %%n%d, %s, %d;", d, d, w.operand("r"), []int{3, 7, 5}[w.dice.Below(3)])
	w.p("%s:", top)
	w.p("setp.ge.u32 %%q%d, %%c%d, %%n%d;\n\t@%%q%d bra %s;", d, d, d, d, end)
	w.inner()
	if w.dice.OneIn(3) {
		w.p("@%%p%d bra %s;", w.dice.Below(5), end)
		w.straight(1 + w.dice.Below(3))
	}
	w.p("add.u32 %%c%d, %%c%d, 1;\n\tbra %s;", d, d, top)
	w.p("%s:", end)
}

// table writes a switch.
func (w *writer) table() {
	n := 2 + w.dice.Below(3)
	labels, list := make([]string, n), ""
	for i := range labels {
		labels[i] = w.label()
		if i > 0 {
			list += ", "
		}
		list += labels[i]
	}
	end, name := w.label(), w.label()
	w.p("%s: .branchtargets %s;", name, list)
	w.p("and.b32 %%t0, %s, 0xffff;\n\trem.u32 %%t0, %%t0, %d;\n\tbrx.idx %%t0, %s;", w.operand("r"), n, name)
	for i, l := range labels {
		w.p("%s:", l)
		w.straight(1 + w.dice.Below(4))
		if i < n-1 && !w.dice.OneIn(4) { // else it goes on into the next
			w.p("bra %s;", end)
		}
	}
	w.p("%s:", end)
}

// counterBytes is the size of the block's counters: eight words for each kind of atomic.
const counterBytes = 32 * 4

// meeting writes what all threads of the block do together.
func (w *writer) meeting() {
	a, b, c := w.operand("r"), w.operand("r"), w.operand("r")
	p, q := w.operand("p"), w.operand("p")
	switch w.dice.Below(9) {
	case 0:
		w.p("shfl.sync.%s.b32 %s|%s, %s, %s, %d, -1;", []string{"idx", "down", "bfly"}[w.dice.Below(3)], a, p, b, c, []int{31, 31 | 24<<8, 31 | 16<<8}[w.dice.Below(3)])
	case 1:
		w.p("shfl.sync.up.b32 %s|%s, %s, %d, %d, -1;", a, p, b, w.dice.Below(32), []int{0, 24 << 8}[w.dice.Below(2)])
	case 2:
		w.p("vote.sync.%s.pred %s, %s, -1;\n\tvote.sync.ballot.b32 %s, !%s, -1;", []string{"all", "any", "uni"}[w.dice.Below(3)], p, q, a, q)
	case 3:
		w.p("and.b32 %%t0, %s, %d;\n\tmatch.any.sync.b32 %s, %%t0, -1;", b, []int{1, 3, 7}[w.dice.Below(3)], a)
	case 4:
		w.p("redux.sync.%s %s, %s, -1;", []string{"add.s32", "min.u32", "max.s32", "xor.b32", "and.b32", "or.b32"}[w.dice.Below(6)], a, b)
	case 5:
		w.p("bar.red.popc.u32 %s, 0, %s;\n\tbar.red.%s.pred %s, 0, !%s;", a, p, []string{"and", "or"}[w.dice.Below(2)], q, p)
	case 6: // in half the warp, the other half in another
		l, end := w.label(), w.label()
		w.p("and.b32 %%t0, %%me, 16;\n\tsetp.ne.u32 %%q0, %%t0, 0;\n\t@%%q0 bra %s;\n\tshfl.sync.bfly.b32 %s, %s, %d, 31, 0xffff;\n\tbra %s;", l, a, b, w.dice.Below(16), end)
		w.p("%s:\n\tshfl.sync.down.b32 %s, %s, %d, 31, 0xffff0000;", l, a, c, w.dice.Below(16))
		w.p("%s:", end)
	case 7:
		w.exchange(a, b)
	default:
		w.count(a, b, c)
	}
}

// exchange hands words to other threads of the block.
func (w *writer) exchange(a, b string) {
	w.p("shl.b32 %%t0, %%me, 2;\n\tadd.u32 %%t0, %%sh, %%t0;\n\tst.shared.u32 [%%t0], %s;\n\tbar.sync 0;", b)
	w.p("add.u32 %%t1, %%me, %d;\n\trem.u32 %%t1, %%t1, %d;\n\tshl.b32 %%t1, %%t1, 2;\n\tadd.u32 %%t1, %%sh, %%t1;\n\tld.shared.u32 %s, [%%t1];\n\tbar.sync 0;", w.dice.Below(w.threads), w.threads, a)
}

// counts are atomics whose order makes no difference, each with counters of its own.
var counts = []string{"add.u32", "max.s32", "xor.b32", "or.b32"}

// count lets threads count in shared memory.
func (w *writer) count(a, b, c string) {
	i := w.dice.Below(len(counts))
	op := fmt.Sprintf("red.shared.%s", counts[i])
	at := "[%t0+" + fmt.Sprint(4*w.threads+32*i) + "]"
	w.p("and.b32 %%t0, %s, 28;\n\tadd.u32 %%t0, %%sh, %%t0;\n\t%s %s, %s;\n\tbar.sync 0;\n\tld.shared.u32 %s, %s;\n\tbar.sync 0;", b, op, at, c, a, at)
}
