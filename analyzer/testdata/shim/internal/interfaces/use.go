package interfaces

func use() { link(plain{}) }
