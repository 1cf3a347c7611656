package ignore

import "github.com/amqpfix/amqpfix/compat"

func onTheLine(ch *compat.Channel, body []byte) error {
	return /* left ignored */ ch.BasicPublish("", "q", false, nil, body) //amqpfix:ignore basicproperties moves with the billing service
}

func above(ch *compat.Channel, body []byte) error {
	//amqpfix:ignore basicproperties moves with the billing service
	return /* left ignored */ ch.BasicPublish("", "q", false, nil, body)
}

func aboveWithMore(ch *compat.Channel, body []byte) error {
	//amqpfix:ignore basicproperties moves with the billing service
	// which is not ours.
	return /* left ignored */ ch.BasicPublish("", "q", false, nil, body)
}

func onASetter(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetType("a") //amqpfix:ignore basicproperties the billing service reads it back
	return /* left ignored */ ch.BasicPublish("", "q", false, props, body)
}

func ofTwoPublishes(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	//amqpfix:ignore basicproperties for now
	if err := /* left ignored */ ch.BasicPublish("", "q", false, props, body); err != nil {
		return err
	}
	return /* left ignored */ ch.BasicPublish("", "q", false, props, body)
}

func multiline(ch *compat.Channel, body []byte) error {
	return /* left ignored */ ch.BasicPublish("", "q", false,
		nil,
		body) //amqpfix:ignore basicproperties for now
}

func anotherRule(ch *compat.Channel, body []byte) error {
	//amqpfix:ignore publish not this one
	return ch.BasicPublish("", "q", false, nil, body) // fold // want `use`
}

func twoRules(ch *compat.Channel, body []byte) error {
	//amqpfix:ignore publish,basicproperties both of them
	return /* left ignored */ ch.BasicPublish("", "q", false, nil, body)
}

func notOurs(ch *compat.Channel, body []byte) error {
	//nolint:all
	return ch.BasicPublish("", "q", false, nil, body) // fold // want `use`
}

func farAbove(ch *compat.Channel, body []byte) error {
	/* want `there is nothing here that the rule basicproperties would find` */ //amqpfix:ignore basicproperties not for this line

	return ch.BasicPublish("", "q", false, nil, body) // fold // want `use`
}

func lineBefore(ch *compat.Channel, body []byte) error {
	n := len(body) /* want `there is nothing here` */ //amqpfix:ignore basicproperties only for its own line
	body = body[:n]
	return ch.BasicPublish("", "q", false, nil, body) // fold // want `use`
}

func directlyBehind(ch *compat.Channel, body []byte) error {
	body = body[:0]                                   /* want `there is nothing here` */ //amqpfix:ignore basicproperties only for its own line
	return ch.BasicPublish("", "q", false, nil, body) // fold // want `use`
}

func otherWord(ch *compat.Channel, body []byte) error {
	//amqpfix:ignored basicproperties no such directive
	return ch.BasicPublish("", "q", false, nil, body) // fold // want `use`
}

func withoutReason(ch *compat.Channel, body []byte) error {
	/* want `say why: //amqpfix:ignore basicproperties reason` */ //amqpfix:ignore basicproperties
	return /* left ignored */ ch.BasicPublish("", "q", false, nil, body)
}

func withoutRule(ch *compat.Channel, body []byte) error {
	/* want `name a rule and say why` */ //amqpfix:ignore
	return /* left ignored */ ch.BasicPublish("", "q", false, nil, body)
}

func misspelt(ch *compat.Channel, body []byte) error {
	/* want `there is no rule "basicproperty"; the rules are basicproperties, publish, shim` */ //amqpfix:ignore basicproperty the legacy team owns this
	return /* left ignored */ ch.BasicPublish("", "q", false, nil, body)
}

// Of two directives that cover it, neither is in vain.
func byTwo(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties() //amqpfix:ignore basicproperties made for the billing service
	props.SetType("a")                  //amqpfix:ignore basicproperties the billing service reads it back
	//amqpfix:ignore basicproperties moves with the billing service
	return /* left ignored */ ch.BasicPublish("", "q", false, props, body) //amqpfix:ignore basicproperties moves with it
}

// So is a statement of a variable that would be left anyway.
func ofAVariableThatIsLeft(ch *compat.Channel, body []byte) error {
	props := ch.CreateBasicProperties()
	props.SetType("a") //amqpfix:ignore basicproperties the billing service reads it back
	stamp(props)
	return /* left ignored */ ch.BasicPublish("", "q", false, props, body)
}

func stamp(props compat.BasicProperties) {
	props.SetAppId("a") /* want `there is nothing here` */ //amqpfix:ignore basicproperties no publish is of this variable
}

func onlyOneOfTwo(ch *compat.Channel, body []byte) error {
	/* want `there is nothing here that the rule basicproperties would find` */ //amqpfix:ignore basicproperties gone
	_ = len(body)
	//amqpfix:ignore basicproperties still here
	return /* left ignored */ ch.BasicPublish("", "q", false, nil, body)
}

func unknownRule(ch *compat.Channel, body []byte) {
	/* want `there is no rule "other"` */ //amqpfix:ignore basicproperties,other which of them it is for is not known
}

func byAnyRule(ch *compat.Channel, body []byte) {
	/* want `name a rule and say why` */ //amqpfix:ignore
}

/* want `there is nothing here that the rule basicproperties would find` */ //amqpfix:ignore basicproperties at the end
