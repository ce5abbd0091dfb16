package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
)

// notes writes what the library warns of, a line each.
type notes struct{ w io.Writer }

func logTo(w io.Writer) *slog.Logger { return slog.New(notes{w}) }

// Enabled is slog.Handler's.
func (notes) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelWarn }

// Handle is slog.Handler's.
func (n notes) Handle(_ context.Context, r slog.Record) error {
	var about []string
	r.Attrs(func(a slog.Attr) bool {
		about = append(about, a.Value.String())
		return true
	})
	_, err := fmt.Fprintf(n.w, "purecuda: warning: %s (%s)\n", r.Message, printable(strings.Join(about, ": ")))
	return err
}

// WithAttrs is slog.Handler's. The stores give all with the message.
func (n notes) WithAttrs([]slog.Attr) slog.Handler { return n }

// WithGroup is slog.Handler's.
func (n notes) WithGroup(string) slog.Handler { return n }
