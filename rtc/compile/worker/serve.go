package worker

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/purecuda/purecuda/nvrtc"
	"github.com/purecuda/purecuda/rtc/compile"
)

// warmUp uses of NVRTC what most sources do.
const warmUp = `extern "C" __global__ void warmup(float *x) { x[threadIdx.x] = sinf(x[threadIdx.x]); }`

// runner is what compiles in a worker.
var runner compile.Runner = compile.InProcess{}

// listen gives the messages of requests as they come. The process ends with them.
func listen(requests *os.File) <-chan []byte {
	incoming := make(chan []byte)
	go func() {
		for {
			b, err := readFrame(requests, mostFrame)
			if err != nil {
				os.Exit(0) // who started this has ended, or wants it to; NVRTC may be busy
			}
			incoming <- b
		}
	}()
	return incoming
}

// present says that this is a worker, and waits for the word that limits are in
// force.
func present(requests, answers *os.File) error {
	err := writeFrame(answers, pack(msgHere, protocol))
	if err == nil {
		_, err = readFrame(requests, 0)
	}
	if err != nil {
		return fmt.Errorf("this process is not started by a Pool: %w", err)
	}
	return nil
}

// begin opens an NVRTC. What the first compile loads is there then.
func begin(config nvrtc.Config) (*nvrtc.Compiler, error) {
	compiler, err := nvrtc.Open(config)
	if err != nil {
		return nil, err
	}
	if _, err := (compile.InProcess{}).Run(context.Background(), &compile.Request{Compiler: compiler, Source: warmUp, Name: "warmup.cu"}); err != nil {
		return nil, fmt.Errorf("a first compile: %w", err)
	}
	return compiler, nil
}

// respond says that it is ready, and answers what comes.
func respond(compiler *nvrtc.Compiler, incoming <-chan []byte, answers *os.File) error {
	if err := writeFrame(answers, pack(msgReady)); err != nil {
		return err
	}
	for b := range incoming {
		parts, err := unpack(b)
		if err != nil || len(parts) != 2 {
			return errors.New("what came is no message")
		}
		if err := writeFrame(answers, pack(parts[0], answer(compiler, parts[1]))); err != nil {
			return err
		}
	}
	return nil
}

// answer is the answer to a message.
func answer(compiler *nvrtc.Compiler, b []byte) []byte {
	parts, err := unpack(b)
	switch {
	case err != nil || len(parts) == 0:
		return pack(msgError, "no message")
	case string(parts[0]) == msgPing:
		return b
	case string(parts[0]) != msgCompile:
		return pack(msgError, fmt.Sprintf("an unknown message %.20q", parts[0]))
	}
	r, err := decodeRequest(parts[1:])
	if err != nil {
		return pack(msgError, err.Error())
	}
	r.Compiler = compiler
	return encodeAnswer(runner.Run(context.Background(), r))
}
