package rediscache

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"net"
	"strconv"
	"syscall"
	"time"

	"github.com/redis/go-redis/v9"
)

// bound has o's connections give up a server that answers more than there is reason
// to. The client believes the lengths that a server names, and asks for as much memory:
// that ends the program, and is nothing that could be recovered from.
func bound(o *redis.UniversalOptions, entry int64) {
	most := max(entry, leastReply) + replySpare
	o.Dialer = func(ctx context.Context, network, addr string) (net.Conn, error) {
		d := &net.Dialer{Timeout: cmp.Or(o.DialTimeout, usualDial)}
		var (
			c   net.Conn
			err error
		)
		if o.TLSConfig == nil {
			c, err = d.DialContext(ctx, network, addr)
		} else {
			c, err = (&tls.Dialer{NetDialer: d, Config: o.TLSConfig}).DialContext(ctx, network, addr)
		}
		if err != nil {
			return nil, err
		}
		return &boundConn{Conn: c, replies: replies{most: most}}, nil
	}
}

const (
	usualDial    = 5 * time.Second
	leastReply   = 16 << 20 // bytes that any reply may have
	replySpare   = 1 << 10  // for lengths and a signature
	mostElements = 200_000  // of a reply: those of all arrays in it
)

// A boundConn is a connection whose replies are bounded.
type boundConn struct {
	net.Conn
	replies replies
}

// Read reads what the server sends, unless that is too much.
func (c *boundConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if bad := c.replies.pass(b[:n]); bad != nil {
		return 0, bad
	}
	return n, err
}

// SyscallConn lets the client look whether the server has gone.
func (c *boundConn) SyscallConn() (syscall.RawConn, error) {
	if s, ok := c.Conn.(syscall.Conn); ok {
		return s.SyscallConn()
	}
	return nil, errors.ErrUnsupported
}

// replies are what has gone by of a server's replies: lines, each of which may say how
// many bytes follow, or how many replies belong to it.
type replies struct {
	most     int64
	line     []byte // of the line that goes by, so much as may matter
	text     int64  // bytes of a text that are to come
	left     int64  // replies that belong to the one that goes by
	bytes    int64  // that it has
	elements int64
	bad      error
}

var errReply = errors.New("rediscache: the server's reply is larger than any that was asked for")

const longestHead = 32

func (r *replies) pass(b []byte) error {
	for len(b) > 0 && r.bad == nil {
		if r.text > 0 {
			n := min(r.text, int64(len(b)))
			r.text -= n
			r.count(n)
			b = b[n:]
			r.next()
			continue
		}
		r.count(1)
		if len(r.line) < longestHead {
			r.line = append(r.line, b[0])
		}
		if b[0] == '\n' {
			r.head()
			r.line = r.line[:0]
			r.next()
		}
		b = b[1:]
	}
	return r.bad
}

func (r *replies) count(n int64) {
	if r.bytes += n; r.bytes > r.most {
		r.bad = errReply
	}
}

// head looks at a line's beginning.
func (r *replies) head() {
	if r.left > 0 {
		r.left--
	}
	kind := r.line[0]
	digits := r.line[1:]
	for len(digits) > 0 && (digits[len(digits)-1] == '\n' || digits[len(digits)-1] == '\r') {
		digits = digits[:len(digits)-1]
	}
	n, err := strconv.ParseInt(string(digits), 10, 64)
	switch kind {
	case '$', '=', '!':
		if err != nil || n > r.most {
			r.bad = errReply
		} else if n >= 0 {
			r.text = n + 2
		}
	case '*', '~', '>', '%', '|':
		if err != nil || n > mostElements {
			r.bad = errReply
			return
		}
		if kind == '%' || kind == '|' {
			n *= 2
		}
		n = max(n, 0)
		if r.elements += n; r.elements > mostElements {
			r.bad = errReply
		}
		r.left += n
	}
}

// next begins to count anew where a reply has ended.
func (r *replies) next() {
	if r.text == 0 && r.left == 0 {
		r.bytes, r.elements = 0, 0
	}
}
