package worker

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/rtc/cache"
	"github.com/purecuda/purecuda/rtc/compile"
)

// protocol is counted up when messages change: a worker may be another program.
const protocol = "purecuda compile worker 3"

// Messages, by their first part. Once a worker is ready, one and its answer are the
// second of two parts, whose first is the message's number.
const (
	msgHere    = "here"    // from the worker, before all else: protocol
	msgReady   = "ready"   // from the worker: requests may come
	msgPing    = "ping"    // answered with the same
	msgCompile = "compile" // name, source, options, exports, headers
	msgEntry   = "entry"   // an answer: what was made
	msgRefused = "refused" // NVRTC's result and log
	msgText    = "text"    // a nvrtc.TextError: what, offset, reason
	msgNone    = "none"    // nvrtc.ErrNoOutput, in words
	msgError   = "error"   // any other, in words
)

// encodeRequest is a request as a message.
func encodeRequest(r *compile.Request) []byte {
	var headers []string
	for _, name := range slices.Sorted(maps.Keys(r.Headers)) {
		headers = append(headers, name, r.Headers[name])
	}
	return pack([]byte(msgCompile), []byte(r.Name), []byte(r.Source), pack(r.Options...), pack(r.Exports...), pack(headers...))
}

// decodeRequest reads the parts behind the first.
func decodeRequest(parts [][]byte) (*compile.Request, error) {
	if len(parts) != 5 {
		return nil, errLengths
	}
	r := &compile.Request{Name: string(parts[0]), Source: string(parts[1])}
	options, err1 := texts(parts[2])
	exports, err2 := texts(parts[3])
	headers, err3 := texts(parts[4])
	if err := errors.Join(err1, err2, err3); err != nil || len(headers)%2 != 0 {
		return nil, errLengths
	}
	r.Options, r.Exports = options, exports
	for i := 0; i < len(headers); i += 2 {
		if r.Headers == nil {
			r.Headers = map[string]string{}
		}
		r.Headers[headers[i]] = headers[i+1]
	}
	return r, nil
}

// encodeAnswer is what came of a compile, as a message.
func encodeAnswer(e *cache.Entry, err error) []byte {
	var (
		refused *nvrtc.CompileError
		text    *nvrtc.TextError
	)
	switch {
	case err == nil:
		return pack([]byte(msgEntry), cache.Encode(cache.Key{}, e))
	case errors.As(err, &refused):
		return pack(msgRefused, strconv.Itoa(int(refused.Result)), refused.Log)
	case errors.As(err, &text):
		return pack(msgText, text.What, strconv.Itoa(text.Offset), text.Reason)
	case errors.Is(err, nvrtc.ErrNoOutput):
		return pack(msgNone, err.Error())
	}
	return pack(msgError, err.Error())
}

// errNonsense is matched by the error of an answer that no worker gives.
var errNonsense = errors.New("an answer that makes no sense")

// decodeAnswer reads an answer to r. An error that matches errNonsense is about
// the worker, any other what came of the compile; with walled, for a source that may
// not know which files there are.
func decodeAnswer(b []byte, r *compile.Request, walled bool) (*cache.Entry, error) {
	parts, err := unpack(b)
	if err != nil || len(parts) == 0 {
		return nil, fmt.Errorf("%w: %d bytes that are no message", errNonsense, len(b))
	}
	switch kind := string(parts[0]); {
	case kind == msgEntry && len(parts) == 2:
		e, err := cache.Decode(cache.Key{}, parts[1])
		if err != nil {
			return nil, fmt.Errorf("%w: %w", errNonsense, err)
		}
		return e, nil
	case kind == msgRefused && len(parts) == 3:
		result, err := strconv.Atoi(string(parts[1]))
		if err != nil || result == int(nvrtc.Success) {
			break
		}
		refusal := func(log string) *nvrtc.CompileError {
			return r.Compiler.Refusal(r.Source, nvrtc.ProgramConfig{Name: r.Name, Headers: r.Headers, Exports: r.Exports}, r.Options, nvrtc.Result(result), log)
		}
		if walled {
			return nil, untold(refusal, string(parts[2]))
		}
		return nil, refusal(string(parts[2]))
	case kind == msgText && len(parts) == 4:
		offset, err := strconv.Atoi(string(parts[2]))
		if err != nil {
			break
		}
		return nil, &nvrtc.TextError{What: string(parts[1]), Offset: offset, Reason: string(parts[3])}
	case kind == msgNone && len(parts) == 2:
		return nil, fmt.Errorf("%w (%s)", nvrtc.ErrNoOutput, parts[1])
	case kind == msgError && len(parts) == 2:
		return nil, errors.New(string(parts[1]))
	}
	return nil, fmt.Errorf("%w: a message %.20q of %d parts", errNonsense, parts[0], len(parts))
}
