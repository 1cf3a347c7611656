// Package oldapi lists the symbols of each old API and what stands for them in
// newapi. It is data; what follows from it is decided elsewhere.
package oldapi

import (
	"maps"
	"slices"
)

// Import paths.
const (
	Compat = "github.com/amqpfix/amqpfix/compat"
	NewAPI = "github.com/amqpfix/amqpfix/newapi"

	NewModule = "github.com/amqpfix/amqpfix" // that has both
)

// Names in package compat.
const (
	PropertiesType = "BasicProperties" // the interface
	ChannelType    = "Channel"
	CreateMethod   = "CreateBasicProperties" // of Channel
	PublishMethod  = "BasicPublish"          // of Channel
	FromStructFunc = "FromStruct"
)

// Argument positions of PublishMethod.
const (
	Exchange = iota
	RoutingKey
	Mandatory
	Properties
	Body
	PublishArgs // how many there are
)

// Names in package newapi.
const (
	NewProperties = "BasicProperties" // the struct
	NewPublish    = "BasicPublish"
	NewTable      = "Table"
	NewMandatory  = "Mandatory"
	NewFlagsIf    = "FlagsIf"
	NewImmediate  = "Immediate"
	NewPersistent = "Persistent"
	NewTransient  = "Transient"
)

// Kind is the type of a property.
type Kind int

const (
	String Kind = iota
	Octet       // uint8
	Table       // newapi.Table
	Time        // time.Time
)

// Role is what a method of the old interface does.
type Role int

const (
	Get Role = iota
	Set
	Clear
	Present
	GetPersistent // DeliveryMode is 2
	SetPersistent // DeliveryMode becomes 2 or 1
	GetAddress    // ReplyTo, parsed: a method of the same name in newapi
	SetAddress    // ReplyTo becomes the address's String()
)

// Method is one method of the old interface. Field is the field of the new
// struct that it is about; Kind is that field's.
type Method struct {
	Role  Role
	Field string
	Kind  Kind
}

// Methods are all methods of the old interface by name.
var Methods = map[string]Method{
	"ContentType":          {Get, "ContentType", String},
	"SetContentType":       {Set, "ContentType", String},
	"ClearContentType":     {Clear, "ContentType", String},
	"IsContentTypePresent": {Present, "ContentType", String},

	"ContentEncoding":          {Get, "ContentEncoding", String},
	"SetContentEncoding":       {Set, "ContentEncoding", String},
	"ClearContentEncoding":     {Clear, "ContentEncoding", String},
	"IsContentEncodingPresent": {Present, "ContentEncoding", String},

	"Headers":          {Get, "Headers", Table},
	"SetHeaders":       {Set, "Headers", Table},
	"ClearHeaders":     {Clear, "Headers", Table},
	"IsHeadersPresent": {Present, "Headers", Table},

	"DeliveryMode":          {Get, "DeliveryMode", Octet},
	"SetDeliveryMode":       {Set, "DeliveryMode", Octet},
	"ClearDeliveryMode":     {Clear, "DeliveryMode", Octet},
	"IsDeliveryModePresent": {Present, "DeliveryMode", Octet},
	"Persistent":            {GetPersistent, "DeliveryMode", Octet},
	"SetPersistent":         {SetPersistent, "DeliveryMode", Octet},

	"Priority":          {Get, "Priority", Octet},
	"SetPriority":       {Set, "Priority", Octet},
	"ClearPriority":     {Clear, "Priority", Octet},
	"IsPriorityPresent": {Present, "Priority", Octet},

	"CorrelationId":          {Get, "CorrelationId", String},
	"SetCorrelationId":       {Set, "CorrelationId", String},
	"ClearCorrelationId":     {Clear, "CorrelationId", String},
	"IsCorrelationIdPresent": {Present, "CorrelationId", String},

	"ReplyTo":           {Get, "ReplyTo", String},
	"SetReplyTo":        {Set, "ReplyTo", String},
	"ClearReplyTo":      {Clear, "ReplyTo", String},
	"IsReplyToPresent":  {Present, "ReplyTo", String},
	"ReplyToAddress":    {GetAddress, "ReplyTo", String},
	"SetReplyToAddress": {SetAddress, "ReplyTo", String},

	"Expiration":          {Get, "Expiration", String},
	"SetExpiration":       {Set, "Expiration", String},
	"ClearExpiration":     {Clear, "Expiration", String},
	"IsExpirationPresent": {Present, "Expiration", String},

	"MessageId":          {Get, "MessageId", String},
	"SetMessageId":       {Set, "MessageId", String},
	"ClearMessageId":     {Clear, "MessageId", String},
	"IsMessageIdPresent": {Present, "MessageId", String},

	"Timestamp":          {Get, "Timestamp", Time},
	"SetTimestamp":       {Set, "Timestamp", Time},
	"ClearTimestamp":     {Clear, "Timestamp", Time},
	"IsTimestampPresent": {Present, "Timestamp", Time},

	"Type":          {Get, "Type", String},
	"SetType":       {Set, "Type", String},
	"ClearType":     {Clear, "Type", String},
	"IsTypePresent": {Present, "Type", String},

	"UserId":          {Get, "UserId", String},
	"SetUserId":       {Set, "UserId", String},
	"ClearUserId":     {Clear, "UserId", String},
	"IsUserIdPresent": {Present, "UserId", String},

	"AppId":          {Get, "AppId", String},
	"SetAppId":       {Set, "AppId", String},
	"ClearAppId":     {Clear, "AppId", String},
	"IsAppIdPresent": {Present, "AppId", String},

	"ClusterId":          {Get, "ClusterId", String},
	"SetClusterId":       {Set, "ClusterId", String},
	"ClearClusterId":     {Clear, "ClusterId", String},
	"IsClusterIdPresent": {Present, "ClusterId", String},
}

// ImportPaths are the packages that declare an old API. Code in them, and in
// their external tests, is the old API itself and no use of it.
func ImportPaths() []string { return []string{Compat, Compat091, Upstream, Streadway} }

// MethodNames are names of which a package that depends on an old API must have
// one in its text to be worth a look: of the old methods, and of what the new API
// has for flags.
func MethodNames() []string {
	return append(slices.Sorted(maps.Keys(Publishes)), CreateMethod, PublishMethod, NewFlagsIf, NewImmediate)
}
