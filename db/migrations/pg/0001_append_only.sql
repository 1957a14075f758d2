-- The ledger is append-only and a chain: each entry is the account's next, and says the account's balance.
CREATE FUNCTION ledger_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the ledger is append-only';
END $$;
--> statement-breakpoint
CREATE TRIGGER ledger_no_change BEFORE UPDATE OR DELETE ON ledger
FOR EACH ROW EXECUTE FUNCTION ledger_is_append_only();
--> statement-breakpoint
CREATE FUNCTION ledger_is_a_chain() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT 1 FROM accounts WHERE id = NEW.account_id AND credits = NEW.balance_after AND entries = NEW.no
  ) OR NEW.balance_after <> NEW.credits + coalesce(
    (SELECT balance_after FROM ledger WHERE account_id = NEW.account_id AND no = NEW.no - 1), 0)
  THEN
    RAISE EXCEPTION 'the ledger entry breaks the chain';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER ledger_chain BEFORE INSERT ON ledger
FOR EACH ROW EXECUTE FUNCTION ledger_is_a_chain();
