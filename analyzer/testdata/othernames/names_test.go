package othernames

func context() {}
