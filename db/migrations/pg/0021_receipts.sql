ALTER TABLE "orders" ADD COLUMN "receipt_no" integer;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "tax_cents" integer;--> statement-breakpoint
CREATE UNIQUE INDEX "orders_receipt" ON "orders" USING btree ("account_id","receipt_no");--> statement-breakpoint
-- What was paid before is numbered in the order of its payment.
UPDATE orders SET receipt_no = (
  SELECT count(*) FROM orders AS earlier
  WHERE earlier.account_id = orders.account_id AND earlier.paid_at IS NOT NULL
    AND (earlier.paid_at < orders.paid_at OR (earlier.paid_at = orders.paid_at AND earlier.id <= orders.id))
) WHERE paid_at IS NOT NULL;
