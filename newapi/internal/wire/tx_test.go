package wire

import "testing"

var txCases = []methodCase{
	{90<<16 | 10, "tx.select", &TxSelect{}, ""},
	{90<<16 | 11, "tx.select-ok", &TxSelectOk{}, ""},
	{90<<16 | 20, "tx.commit", &TxCommit{}, ""},
	{90<<16 | 21, "tx.commit-ok", &TxCommitOk{}, ""},
	{90<<16 | 30, "tx.rollback", &TxRollback{}, ""},
	{90<<16 | 31, "tx.rollback-ok", &TxRollbackOk{}, ""},
}

func TestTxMethods(t *testing.T) { testMethods(t, txCases) }
