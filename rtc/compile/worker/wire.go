package worker

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// What goes between the processes is parts, each with 4 bytes of length before it,
// little endian; a part may hold parts in its turn. A frame is a length and as many
// bytes. The reader of a frame need not trust its writer.

// pack puts parts together.
func pack[T ~string | ~[]byte](parts ...T) []byte {
	n := 0
	for _, p := range parts {
		n += 4 + len(p)
	}
	b := make([]byte, 0, n)
	for _, p := range parts {
		b = append(binary.LittleEndian.AppendUint32(b, uint32(len(p))), p...)
	}
	return b
}

var errLengths = errors.New("the lengths do not add up")

// unpack takes them apart again. They are pieces of b.
func unpack(b []byte) (parts [][]byte, err error) {
	for len(b) > 0 {
		if len(b) < 4 {
			return nil, errLengths
		}
		n := uint64(binary.LittleEndian.Uint32(b))
		if b = b[4:]; n > uint64(len(b)) {
			return nil, errLengths
		}
		parts = append(parts, b[:n:n])
		b = b[n:]
	}
	return parts, nil
}

// texts unpacks strings.
func texts(b []byte) ([]string, error) {
	parts, err := unpack(b)
	var list []string
	for _, p := range parts {
		list = append(list, string(p))
	}
	return list, err
}

// writeFrame writes a frame at once.
func writeFrame(w io.Writer, content []byte) error {
	if uint64(len(content)) > mostFrame {
		return fmt.Errorf("%d bytes are more than a message may have", len(content))
	}
	_, err := w.Write(append(binary.LittleEndian.AppendUint32(make([]byte, 0, 4+len(content)), uint32(len(content))), content...))
	return err
}

// mostFrame is what a length of 4 bytes can say, and an int everywhere.
const mostFrame = 1<<31 - 1

// A tooLong is a frame that has more bytes than its reader takes.
type tooLong struct{ size, limit int64 }

func (e *tooLong) Error() string {
	return fmt.Sprintf("%d bytes, and the limit is %d", e.size, e.limit)
}

// readFrame reads a frame of at most limit bytes. The error is io.EOF when there
// is none.
func readFrame(r io.Reader, limit int64) ([]byte, error) {
	var length [4]byte
	if _, err := io.ReadFull(r, length[:]); err != nil {
		return nil, err
	}
	n := int64(binary.LittleEndian.Uint32(length[:]))
	if n > limit {
		return nil, &tooLong{n, limit}
	}
	content := make([]byte, n)
	if _, err := io.ReadFull(r, content); err != nil {
		return nil, fmt.Errorf("it ends early: %w", err)
	}
	return content, nil
}
