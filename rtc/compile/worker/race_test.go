//go:build race

package worker_test

const racing = true
