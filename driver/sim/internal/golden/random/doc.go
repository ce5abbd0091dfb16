// Package random makes PTX programs from a seed: arithmetic of all types, predicates, branches that split warps, loops whose lengths differ from
// thread to thread, calls, local memory, and, where all threads of a block come by, shuffles, votes, shared memory with
// barriers and atomics. Nothing in them depends on an order that is not laid down, and no two instructions can be fused, so that a program gives
// the same on every device and in every order of warps and blocks.
package random
