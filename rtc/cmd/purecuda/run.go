package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/compile"
)

// run compiles all units, writes each result when it is there, and tells of them
// in the order of the command line.
func (j *compileJob) run(ctx context.Context) error {
	var requests []compile.Request
	for _, u := range j.units {
		requests = append(requests, u.request)
	}
	var bar *progress
	if len(requests) > 1 && !j.json && terminal(os.Stderr) {
		bar = &progress{w: os.Stderr}
	}
	told := 0
	say := newSayings(os.Stderr)
	// What went wrong with each is in its unit.
	_ = j.service.Warm(ctx, requests, func(p compile.Progress) {
		u := j.units[p.Request]
		u.done, u.result, u.err = true, p.Result, p.Err
		if u.err == nil && u.out != "" {
			u.err = u.write()
		}
		bar.clear()
		for ; told < len(j.units) && j.units[told].done; told++ {
			j.tell(say, j.units[told])
		}
		bar.show(p.Done, p.Total, u.file+" "+u.arch.String())
	})
	bar.clear()
	if j.json {
		if err := j.writeJSON(); err != nil {
			return err
		}
	}
	return j.end(ctx)
}

// write writes a unit's result.
func (u *unit) write() error {
	if err := writeFile(u.out, func(w io.Writer) error {
		_, err := w.Write(u.image())
		return err
	}); err != nil {
		return exit(lacking, err)
	}
	return nil
}

// tell says what there is to say of a unit.
func (j *compileJob) tell(say *sayings, u *unit) {
	if errors.Is(u.err, context.Canceled) {
		return // which is said once
	}
	if u.err != nil {
		say.failed(u)
		return
	}
	say.log(u, u.result.Entry.Log)
	if j.warm && u.result.Uncached != "" {
		say.line("%s: note: it is not kept, for the cache can't see %s; -extra helps", u.path(""), u.result.Uncached)
	}
	if j.verbose {
		to := ""
		if u.out != "" && u.out != "-" {
			to = ", " + u.out
		}
		say.line("%s: %v: %v, %v of %d bytes%s", u.path(""), u.arch, u.result.Origin, u.kind, len(u.image()), to)
	}
}

// image is what is written of a unit's result: of a cubin, the PTX beside it if that
// is wanted.
func (u *unit) image() []byte {
	if u.kind == cache.PTX && u.result.Entry.Kind == cache.CUBIN {
		return u.result.Entry.PTX
	}
	return u.result.Entry.Image
}

// end sums up, and is the exit status.
func (j *compileJob) end(ctx context.Context) error {
	code, failed, compiled, cached := 0, 0, 0, 0
	for _, u := range j.units {
		var e *exitError
		switch {
		case ctx.Err() != nil && (!u.done || errors.Is(u.err, context.Canceled)):
			return exit(interrupted, errors.New("compile: interrupted"))
		case errors.As(u.err, &e):
			code = max(code, e.code)
			failed++
		case u.err != nil:
			code = max(code, codeOf(u.err))
			failed++
		case u.result.Origin == compile.Cached:
			cached++
		default:
			compiled++
		}
	}
	if n := j.unkept(); n > 0 && j.warm {
		code = max(code, lacking)
	}
	if j.warm && !j.json {
		fmt.Fprintf(os.Stderr, "purecuda: %d compiled, %d cached before, %d failed\n", compiled, cached, failed)
	}
	if code != 0 {
		return &exitError{code: code}
	}
	return nil
}

// unkept tells of each store that failed, how often, and how many these were.
func (j *compileJob) unkept() (failed int) {
	if j.tiers == nil {
		return 0
	}
	for _, tier := range j.tiers.Tiers() {
		n := tier.Failed + tier.Skipped
		if n == 0 {
			continue
		}
		failed++
		if _, warned := tier.Store.(*cache.Disk); !warned || j.warm {
			fmt.Fprintf(os.Stderr, "purecuda: warning: %s: %d calls failed: not all is kept\n", printable(tier.Name), n)
		}
	}
	return failed
}

// lookUp says of each unit whether the cache has it.
func (j *compileJob) lookUp(ctx context.Context) error {
	for _, u := range j.units {
		r, err := j.service.Lookup(ctx, u.request)
		if err != nil {
			return err
		}
		u.done, u.result = true, r
		if j.json {
			continue
		}
		state := "not cached"
		switch {
		case r.Uncached != "":
			state = "never cached: the cache can't see " + r.Uncached
		case r.Entry != nil:
			state = "cached"
		}
		fmt.Printf("%s: %v: %s\n", printable(u.path("")), u.arch, printable(state))
	}
	if j.json {
		return j.writeJSON()
	}
	return nil
}
