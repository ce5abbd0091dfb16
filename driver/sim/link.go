package sim

import (
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
		no = refuse(driver.NoBinaryForGPU, "sim: machine code: %s", howToPTX)
	default:
		no = refuse(driver.InvalidValue, "sim: a link input of kind %d", kind)
	}
	if no != nil && no.code == driver.InvalidImage { // as the linker says it
		no.code = driver.InvalidPTX
	}
	if no != nil {
		l.jit.refused(&refusal{no.code, name + ": " + no.text})
		return no.code
	}
	l.inputs = append(l.inputs, linkInput{name, im})
	return driver.Success
}

// complete links what was added. The result is PTX, where a GPU's driver makes a cubin: both are loaded alike.
func (l *link) complete(d *Driver, dev *device) ([]byte, driver.Result) {
	if len(l.inputs) == 0 {
		return nil, driver.InvalidValue
	}
	m, err := merge(l.inputs)
	if err != nil {
		l.jit.refused(refuse(driver.InvalidPTX, "sim: link: %v", err))
		return nil, driver.InvalidPTX
	}
	var no *refusal
	text := m.Print()
	d.unlocked(func() {
		var im *image
		if im, no = d.parse(text); no == nil {
			if no = im.fits(dev); no == nil {
				no = im.try(dev)
			}
		}
	})
	if no != nil {
		l.jit.refused(no)
		return nil, no.code
	}
	l.result = append([]byte(strings.TrimRight(text, "\n")), '\n', 0)
	return l.result, driver.Success
}
