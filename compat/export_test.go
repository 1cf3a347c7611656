package compat

// For tests outside the package, which have no connection to publish by.
var Publish = publish
