package sim

import (
	"bytes"
	"debug/elf"
	"strings"

	"github.com/purecuda/purecuda/driver"
)

// A link makes one module of several.
type link struct {
	jit    *jit
	inputs []linkInput
	result []byte // kept until the link is destroyed
}

type linkInput struct {
	name  string
	image *image
}

// add adds code of a kind.
func (l *link) add(d *Driver, kind driver.LinkInput, data []byte, name string) driver.Result {
	var im *image
	var no *refusal
	switch kind {
	case driver.LinkPTX, driver.LinkFatbin:
		d.unlocked(func() { im, no = d.readSized(data) })
	case driver.LinkCubin, driver.LinkObject, driver.LinkArchive:
		no = refuse(driver.InvalidImage, "sim: no machine code")
		if bytes.HasPrefix(data, []byte(elf.ELFMAG)) || bytes.HasPrefix(data, []byte("!<arch>\n")) {
			no = refuse(driver.NoBinaryForGPU, "sim: machine code: %s", howToPTX)
		}
	default:
		no = refuse(driver.InvalidValue, "sim: a link input of kind %d", kind)
	}
	if no != nil {
		l.jit.refused(&refusal{no.code, name + ": " + no.text})
		return no.code
	}
	l.inputs = append(l.inputs, linkInput{name, im})
	if _, err := collect(l.inputs); err != nil {
		return l.failed("%v", err)
	}
	return driver.Success
}

// failed is what the driver's linker gives for whatever does not fit together.
func (l *link) failed(format string, args ...any) driver.Result {
	l.jit.refused(refuse(driver.Unknown, "sim: link: "+format, args...))
	return driver.Unknown
}

// empty is what no code at all links to.
const empty = ".version 6.0\n.target sm_50\n.address_size 64\n"

// complete links what was added. The result is PTX, where a GPU's driver makes a cubin: both are loaded alike.
func (l *link) complete(d *Driver, dev *device) ([]byte, driver.Result) {
	text := empty
	if len(l.inputs) > 0 {
		m, err := merge(l.inputs)
		if err != nil {
			return nil, l.failed("%v", err)
		}
		text = m.Print()
	}
	var no *refusal
	d.unlocked(func() {
		var im *image
		if im, no = d.parse(text); no == nil {
			if no = im.fits(dev); no == nil {
				no = im.try(dev)
			}
		}
	})
	if no != nil {
		return nil, l.failed("%s", no.text)
	}
	l.result = append([]byte(strings.TrimRight(text, "\n")), '\n', 0)
	return l.result, driver.Success
}
