package othernames

var newapi, _ = 7, 8
