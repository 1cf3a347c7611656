package fields

// two has fields of which one is wrapped and the other is not.
type two struct {
	wrapped wrapped
	own     own
}

func (t two) use() {
	t.wrapped(nil)
	t.own(nil)
}
