CREATE TABLE "accounts" (
	"id" text PRIMARY KEY NOT NULL,
	"bucket" smallint NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"credits" bigint NOT NULL,
	"entries" bigint NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"hash" text NOT NULL,
	"name" text NOT NULL,
	"scopes" text NOT NULL,
	"created_at" bigint NOT NULL,
	"revoked_at" bigint
);
--> statement-breakpoint
CREATE TABLE "deliveries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "deliveries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"project_no" bigint NOT NULL,
	"lane" smallint NOT NULL,
	"at" bigint NOT NULL,
	"status" smallint NOT NULL,
	"provider" text NOT NULL,
	"detail" text,
	"first" smallint NOT NULL,
	"last" smallint NOT NULL,
	"members" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "idempotency" (
	"account_id" text NOT NULL,
	"operation" text NOT NULL,
	"key" text NOT NULL,
	"input_hash" text NOT NULL,
	"owner" text,
	"locked_until" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"result" text,
	CONSTRAINT "idempotency_account_id_operation_key_pk" PRIMARY KEY("account_id","operation","key")
);
--> statement-breakpoint
CREATE TABLE "ledger" (
	"account_id" text NOT NULL,
	"no" bigint NOT NULL,
	"at" bigint NOT NULL,
	"kind" text NOT NULL,
	"credits" bigint NOT NULL,
	"balance_after" bigint NOT NULL,
	"project_id" text,
	"order_id" text,
	"source" text NOT NULL,
	"description" text NOT NULL,
	CONSTRAINT "ledger_account_id_no_pk" PRIMARY KEY("account_id","no")
);
--> statement-breakpoint
CREATE TABLE "links" (
	"id" bigint PRIMARY KEY NOT NULL,
	"bucket" smallint NOT NULL,
	"url" text NOT NULL,
	"state" smallint NOT NULL,
	"error" text,
	"sent_at" bigint,
	"indexed_at" bigint,
	"cancelled_at" bigint,
	"warnings" text
);
--> statement-breakpoint
CREATE TABLE "meta" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "observations" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "observations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"project_no" bigint NOT NULL,
	"at" bigint NOT NULL,
	"look" smallint NOT NULL,
	"result" smallint NOT NULL,
	"method" text NOT NULL,
	"provider" text NOT NULL,
	"counts" text,
	"reason" text,
	"first" smallint NOT NULL,
	"last" smallint NOT NULL,
	"members" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"pack" text NOT NULL,
	"credits" bigint NOT NULL,
	"amount_cents" integer NOT NULL,
	"currency" text NOT NULL,
	"method" text NOT NULL,
	"status" text NOT NULL,
	"checkout_url" text,
	"transaction" text,
	"created_at" bigint NOT NULL,
	"expires_at" bigint,
	"paid_at" bigint
);
--> statement-breakpoint
CREATE TABLE "projects" (
	"no" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "projects_no_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"id" text NOT NULL,
	"bucket" smallint NOT NULL,
	"account_id" text NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"mode" text,
	"bing" boolean NOT NULL,
	"yandex" boolean NOT NULL,
	"drip_days" smallint NOT NULL,
	"status" text NOT NULL,
	"price" smallint NOT NULL,
	"total" integer NOT NULL,
	"waiting" integer NOT NULL,
	"checking" integer NOT NULL,
	"indexed" integer NOT NULL,
	"not_indexed" integer NOT NULL,
	"failed" integer NOT NULL,
	"credits_spent" bigint NOT NULL,
	"credits_returned" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"completed_at" bigint
);
--> statement-breakpoint
CREATE TABLE "providers" (
	"name" text PRIMARY KEY NOT NULL,
	"ok_at" bigint,
	"failed_at" bigint,
	"failures" integer NOT NULL,
	"reason" text
);
--> statement-breakpoint
CREATE TABLE "steps" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "steps_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"bucket" smallint NOT NULL,
	"project_no" bigint NOT NULL,
	"lane" smallint NOT NULL,
	"action" smallint NOT NULL,
	"look" smallint NOT NULL,
	"negatives" smallint NOT NULL,
	"tries" smallint NOT NULL,
	"available_ms" bigint NOT NULL,
	"looked_at" bigint,
	"priority" smallint NOT NULL,
	"due_at" bigint NOT NULL,
	"first" smallint NOT NULL,
	"members" "bytea" NOT NULL,
	"size" smallint NOT NULL,
	"lease" text,
	"lease_until" bigint,
	"intent_at" bigint
);
--> statement-breakpoint
CREATE TABLE "url_sets" (
	"project_no" bigint PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"hashes" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "usage" (
	"account_id" text NOT NULL,
	"day" integer NOT NULL,
	"requests" integer NOT NULL,
	"submissions" integer NOT NULL,
	CONSTRAINT "usage_account_id_day_pk" PRIMARY KEY("account_id","day")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_email" ON "accounts" USING btree ("email");--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_hash" ON "api_keys" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "api_keys_account" ON "api_keys" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "deliveries_project" ON "deliveries" USING btree ("project_no");--> statement-breakpoint
CREATE INDEX "idempotency_age" ON "idempotency" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_source" ON "ledger" USING btree ("account_id","kind","source");--> statement-breakpoint
CREATE INDEX "observations_project" ON "observations" USING btree ("project_no");--> statement-breakpoint
CREATE INDEX "orders_account" ON "orders" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE INDEX "orders_paid" ON "orders" USING btree ("account_id","status");--> statement-breakpoint
CREATE UNIQUE INDEX "projects_id" ON "projects" USING btree ("id");--> statement-breakpoint
CREATE INDEX "projects_account" ON "projects" USING btree ("account_id","no");--> statement-breakpoint
CREATE INDEX "steps_due" ON "steps" USING btree ("priority","due_at");--> statement-breakpoint
CREATE INDEX "steps_project" ON "steps" USING btree ("project_no","lane");--> statement-breakpoint
CREATE INDEX "url_sets_account" ON "url_sets" USING btree ("account_id");