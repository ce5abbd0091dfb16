// Package engine runs PTX on the CPU: the simulated device's memory, its programs and their launches. It knows nothing of
// the driver's API, which package sim makes of it.
//
// [Load] decodes a parsed module once into small operations; [Run] runs a kernel of it. Threads run in warps of 32 in lockstep: an
// operation works on all lanes of a warp that are at the same place (warp.go, fragment.go). A block's warps take turns on one
// goroutine (block.go), blocks are dealt to several (run.go).
//
// What hardware can't tell is looked for by operations that are added while a function is decoded (watch.go): uninitialised memory
// (watchuse.go), races (race.go). Others count (counts.go). Without them there is nothing to skip. Barriers and
// shuffles are looked at where they are complete (synccheck.go).
//
// Where an instruction is done: forms.txt names most forms, each with the expression that does it, from which mkforms writes
// zforms.go. What needs more than a value of each lane has a file of its own, named after the instruction.
package engine
