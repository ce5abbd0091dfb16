#include "textflag.h"

// callC makes the call that the frame at DI tells of, by System V's rules: six
// words in registers, the others on the stack, lowest first, which is a
// multiple of 16 at the call. C calls it with a stack that is 8 short of one.
// If the result's low half is 0 and the frame has a next one, that follows.
TEXT callC<>(SB), NOSPLIT|NOFRAME, $0-0
	LEAQ	-24(SP), SP	// the assembler counts PUSH and SUB, and would have them undone in its way
	MOVQ	BX, 8(SP)
	MOVQ	BP, 16(SP)
	MOVQ	SP, BP
	MOVQ	DI, BX
frame:
	MOVQ	8(BX), CX	// n
	SUBQ	$6, CX
	JLE	registers
	LEAQ	1(CX), DX	// an even number of words
	ANDQ	$~1, DX
	SHLQ	$3, DX
	MOVQ	SP, AX
	SUBQ	DX, AX
	MOVQ	AX, SP
	LEAQ	80(BX), SI	// words[6]
word:
	SUBQ	$1, CX
	MOVQ	(SI)(CX*8), AX
	MOVQ	AX, (SP)(CX*8)
	JNZ	word
registers:
	MOVQ	32(BX), DI
	MOVQ	40(BX), SI
	MOVQ	48(BX), DX
	MOVQ	56(BX), CX
	MOVQ	64(BX), R8
	MOVQ	72(BX), R9
	XORL	AX, AX	// no vector registers, should it be variadic
	CALL	(BX)
	MOVQ	AX, 16(BX)
	MOVQ	BP, SP
	MOVQ	24(BX), BX	// next
	TESTL	AX, AX
	JNZ	done
	TESTQ	BX, BX
	JNZ	frame
done:
	XORL	AX, AX
	MOVQ	8(SP), BX
	MOVQ	16(SP), BP
	LEAQ	24(SP), SP
	RET

DATA callCAddr<>+0(SB)/8, $callC<>(SB)
GLOBL callCAddr<>(SB), RODATA|NOPTR, $8

// func callCAddress() unsafe.Pointer
TEXT ·callCAddress(SB), NOSPLIT, $0-8
	MOVQ	callCAddr<>(SB), AX
	MOVQ	AX, ret+0(FP)
	RET
