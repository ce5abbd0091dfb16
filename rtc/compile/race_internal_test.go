//go:build race

package compile

const racing = true
