-- A payment by the gateway's name for it.
create index ledger_reference on ledger ((data ->> 'reference')) where kind = 'paid';
