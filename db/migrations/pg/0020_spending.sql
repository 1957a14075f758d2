CREATE TABLE "approvals" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"credential" text NOT NULL,
	"credential_name" text NOT NULL,
	"holder" text NOT NULL,
	"operation" text NOT NULL,
	"input_hash" text NOT NULL,
	"credits" integer NOT NULL,
	"about" text NOT NULL,
	"status" text NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"decided_at" bigint,
	"used_at" bigint,
	"project_id" text
);
--> statement-breakpoint
CREATE TABLE "budgets" (
	"account_id" text NOT NULL,
	"holder" text NOT NULL,
	"per_call" integer,
	"per_day" integer,
	"per_month" integer,
	"total" integer,
	"approve_above" integer,
	"expires_at" bigint,
	"day" integer DEFAULT 0 NOT NULL,
	"spent_today" bigint DEFAULT 0 NOT NULL,
	"month" integer DEFAULT 0 NOT NULL,
	"spent_this_month" bigint DEFAULT 0 NOT NULL,
	"spent" bigint DEFAULT 0 NOT NULL,
	"asked_at" bigint,
	CONSTRAINT "budgets_account_id_holder_pk" PRIMARY KEY("account_id","holder")
);
--> statement-breakpoint
ALTER TABLE "direct_payments" ADD COLUMN "credential" text;--> statement-breakpoint
ALTER TABLE "grants" ADD COLUMN "holder" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "ledger" ADD COLUMN "credential" text;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "credential" text;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "credential" text;--> statement-breakpoint
CREATE INDEX "approvals_account" ON "approvals" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE INDEX "approvals_age" ON "approvals" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "ledger_credential" ON "ledger" USING btree ("account_id","credential","no");--> statement-breakpoint
CREATE INDEX "projects_credential" ON "projects" USING btree ("account_id","credential","no");--> statement-breakpoint
-- A grant of an app spends the budget of its client; that of an agent the budget of its name.
UPDATE "grants" SET "holder" = coalesce("client_id", 'agent:' || "name");
