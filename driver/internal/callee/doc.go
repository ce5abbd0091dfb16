// Package callee is for Go functions that stand in for C ones, as those of a simulated driver or of a test double do: what
// their pointer arguments point to, and which thread called them.
package callee
