CREATE TABLE "export_chunks" (
	"account_id" text NOT NULL,
	"export_id" text NOT NULL,
	"no" integer NOT NULL,
	"data" "bytea" NOT NULL,
	CONSTRAINT "export_chunks_account_id_export_id_no_pk" PRIMARY KEY("account_id","export_id","no")
);
--> statement-breakpoint
CREATE TABLE "exports" (
	"account_id" text PRIMARY KEY NOT NULL,
	"id" text NOT NULL,
	"requested_at" bigint NOT NULL,
	"lease" text,
	"lease_until" bigint,
	"failures" integer NOT NULL,
	"rows_done" integer NOT NULL,
	"rows_total" integer NOT NULL,
	"completed_at" bigint,
	"expires_at" bigint,
	"bytes" bigint
);
--> statement-breakpoint
CREATE TABLE "key_usage" (
	"account_id" text NOT NULL,
	"key_id" text NOT NULL,
	"day" integer NOT NULL,
	"calls" integer NOT NULL,
	CONSTRAINT "key_usage_key_id_day_pk" PRIMARY KEY("key_id","day")
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "expires_at" bigint;--> statement-breakpoint
ALTER TABLE "grants" ADD COLUMN "ends_at" bigint;--> statement-breakpoint
CREATE UNIQUE INDEX "exports_id" ON "exports" USING btree ("id");--> statement-breakpoint
CREATE INDEX "exports_open" ON "exports" USING btree ("completed_at");--> statement-breakpoint
CREATE INDEX "key_usage_account" ON "key_usage" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "key_usage_day" ON "key_usage" USING btree ("day");--> statement-breakpoint
UPDATE grants SET ends_at = tokens.until FROM (
	SELECT grant_id, max(expires_at) AS until FROM (
		SELECT grant_id, expires_at FROM refresh_tokens UNION ALL SELECT grant_id, expires_at FROM access_tokens
	) AS issued GROUP BY grant_id
) AS tokens WHERE tokens.grant_id = grants.id;
--> statement-breakpoint
UPDATE grants SET ends_at = created_at WHERE kind = 'oauth' AND ends_at IS NULL;
--> statement-breakpoint
-- The assertion of an agent lasts 30 days from when it was collected, at most a day and ten minutes after it was claimed.
UPDATE grants SET ends_at = created_at + 2679000000 WHERE kind = 'agent' AND assertion_hash IS NOT NULL;
