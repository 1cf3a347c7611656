package shape

import (
    "github.com/amqpfix/amqpfix/compat"
    "fmt"
)

func unformatted( ch *compat.Channel,body []byte ) error {
    fmt.Println( "a" )
    props  :=  ch.CreateBasicProperties()
    props.SetContentType( "text/plain" )
    props.SetPersistent( true )
    props.SetAppId("x")
    if len(body)>0 { props.SetType( "a" ) }
    return ch.BasicPublish( "","q",true,props,body ) // value // want `use`
}
