package wire

// Methods of class tx. None has arguments.
const (
	IDTxSelect     MethodID = ClassTx<<16 | 10
	IDTxSelectOk   MethodID = ClassTx<<16 | 11
	IDTxCommit     MethodID = ClassTx<<16 | 20
	IDTxCommitOk   MethodID = ClassTx<<16 | 21
	IDTxRollback   MethodID = ClassTx<<16 | 30
	IDTxRollbackOk MethodID = ClassTx<<16 | 31
)

// TxSelect makes a channel transactional.
type TxSelect struct{ noArguments }

// ID returns IDTxSelect.
func (*TxSelect) ID() MethodID { return IDTxSelect }

// TxSelectOk says the channel is transactional.
type TxSelectOk struct{ noArguments }

// ID returns IDTxSelectOk.
func (*TxSelectOk) ID() MethodID { return IDTxSelectOk }

// TxCommit commits the publishes and acks since the last transaction ended.
type TxCommit struct{ noArguments }

// ID returns IDTxCommit.
func (*TxCommit) ID() MethodID { return IDTxCommit }

// TxCommitOk says the transaction is committed.
type TxCommitOk struct{ noArguments }

// ID returns IDTxCommitOk.
func (*TxCommitOk) ID() MethodID { return IDTxCommitOk }

// TxRollback abandons the publishes and acks since the last transaction ended.
type TxRollback struct{ noArguments }

// ID returns IDTxRollback.
func (*TxRollback) ID() MethodID { return IDTxRollback }

// TxRollbackOk says the transaction is rolled back.
type TxRollbackOk struct{ noArguments }

// ID returns IDTxRollbackOk.
func (*TxRollbackOk) ID() MethodID { return IDTxRollbackOk }
