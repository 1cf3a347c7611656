package conversions

func use(t theirs) ours { return ours(t) }
