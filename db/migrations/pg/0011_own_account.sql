CREATE TABLE "account_deletions" (
	"account_id" text PRIMARY KEY NOT NULL,
	"requested_at" bigint NOT NULL,
	"due_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "address_undos" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "address_undos_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_id" text NOT NULL,
	"hash" text NOT NULL,
	"email" text NOT NULL,
	"requested_at" bigint NOT NULL,
	"changed_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "deleted_at" bigint;--> statement-breakpoint
ALTER TABLE "mail_links" ADD COLUMN "account_id" text;--> statement-breakpoint
CREATE INDEX "account_deletions_due" ON "account_deletions" USING btree ("due_at");--> statement-breakpoint
CREATE UNIQUE INDEX "address_undos_hash" ON "address_undos" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "address_undos_account" ON "address_undos" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "address_undos_email" ON "address_undos" USING btree ("email");--> statement-breakpoint
CREATE INDEX "address_undos_expiry" ON "address_undos" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "accounts_deleted" ON "accounts" USING btree ("deleted_at") WHERE "accounts"."deleted_at" is not null;--> statement-breakpoint
CREATE INDEX "mail_links_account" ON "mail_links" USING btree ("account_id");