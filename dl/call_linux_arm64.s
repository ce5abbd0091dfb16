#include "textflag.h"

// callC makes the call that the frame at R0 tells of, by the rules of the ARM
// procedure call standard: eight words in registers, the others on the stack,
// lowest first, which stays a multiple of 16. If the result's low half is 0 and
// the frame has a next one, that follows.
TEXT callC<>(SB), NOSPLIT|NOFRAME, $0-0
	STP.W	(R29, R30), -32(RSP)
	MOVD	R19, 16(RSP)
	MOVD	RSP, R29
	MOVD	R0, R19
frame:
	MOVD	8(R19), R9	// n
	SUBS	$8, R9, R9
	BLE	registers
	ADD	$1, R9, R10	// an even number of words
	AND	$~1, R10, R10
	LSL	$3, R10, R10
	MOVD	RSP, R11
	SUB	R10, R11, R11
	MOVD	R11, RSP
	ADD	$96, R19, R12	// words[8]
word:
	SUB	$1, R9, R9
	MOVD	(R12)(R9<<3), R13
	MOVD	R13, (R11)(R9<<3)
	CBNZ	R9, word
registers:
	LDP	32(R19), (R0, R1)
	LDP	48(R19), (R2, R3)
	LDP	64(R19), (R4, R5)
	LDP	80(R19), (R6, R7)
	MOVD	(R19), R9
	BL	(R9)
	MOVD	R0, 16(R19)
	MOVD	R29, RSP
	MOVD	24(R19), R19	// next
	CBNZW	R0, done
	CBNZ	R19, frame
done:
	MOVD	$0, R0
	MOVD	16(RSP), R19
	LDP.P	32(RSP), (R29, R30)
	RET

DATA callCAddr<>+0(SB)/8, $callC<>(SB)
GLOBL callCAddr<>(SB), RODATA|NOPTR, $8

// func callCAddress() unsafe.Pointer
TEXT ·callCAddress(SB), NOSPLIT, $0-8
	MOVD	callCAddr<>(SB), R0
	MOVD	R0, ret+0(FP)
	RET
