//go:build !unix

package compile

func isNoFolder(error) bool { return false }
