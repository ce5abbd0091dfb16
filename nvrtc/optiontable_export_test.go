package nvrtc

// An OptionSpec is how an option of the table is spelled.
type OptionSpec struct {
	Long, Short string
	Takes       bool // a value
	Apart       bool // which may be the next element
	CloseUp     bool // or close up behind the short name
}

// OptionSpecs is the table.
func OptionSpecs() []OptionSpec {
	var all []OptionSpec
	for _, s := range optionSpecs {
		all = append(all, OptionSpec{s.long, s.short, s.kind != flagOption, s.kind == valueOption || s.kind == joinedOption, s.kind == joinedOption})
	}
	return all
}
