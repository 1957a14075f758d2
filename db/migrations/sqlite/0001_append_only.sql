-- The ledger is append-only and a chain: each entry is the account's next, and says the account's balance.
CREATE TRIGGER ledger_no_update BEFORE UPDATE ON ledger BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER ledger_no_delete BEFORE DELETE ON ledger BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER ledger_chain BEFORE INSERT ON ledger
WHEN NOT EXISTS (
  SELECT 1 FROM accounts WHERE id = NEW.account_id AND credits = NEW.balance_after AND entries = NEW.no
) OR NEW.balance_after <> NEW.credits + coalesce(
  (SELECT balance_after FROM ledger WHERE account_id = NEW.account_id AND no = NEW.no - 1), 0)
BEGIN
  SELECT RAISE(ABORT, 'the ledger entry breaks the chain');
END;
