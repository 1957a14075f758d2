CREATE TABLE "events" (
	"account_id" text NOT NULL,
	"no" bigint NOT NULL,
	"at" bigint NOT NULL,
	"type" text NOT NULL,
	"project_id" text,
	"data" text NOT NULL,
	"queued_at" bigint,
	CONSTRAINT "events_account_id_no_pk" PRIMARY KEY("account_id","no")
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhook_deliveries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"webhook_id" text NOT NULL,
	"account_id" text NOT NULL,
	"event_no" bigint NOT NULL,
	"status" smallint NOT NULL,
	"attempts" text NOT NULL,
	"tries" smallint NOT NULL,
	"next_at" bigint,
	"lease" text,
	"lease_until" bigint,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"maker" text NOT NULL,
	"url" text NOT NULL,
	"types" text,
	"description" text NOT NULL,
	"status" text NOT NULL,
	"sealed_secret" text NOT NULL,
	"sealed_previous_secret" text,
	"previous_until" bigint,
	"created_at" bigint NOT NULL,
	"last_success_at" bigint,
	"failing_since" bigint,
	"last_failure_at" bigint,
	"last_failure_status" smallint,
	"last_failure_reason" text
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "events" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "low_credits" integer DEFAULT 100 NOT NULL;--> statement-breakpoint
CREATE INDEX "events_age" ON "events" USING btree ("at");--> statement-breakpoint
CREATE INDEX "events_queued" ON "events" USING btree ("queued_at") WHERE "events"."queued_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_deliveries_event" ON "webhook_deliveries" USING btree ("webhook_id","event_no");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("next_at") WHERE "webhook_deliveries"."next_at" is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_account" ON "webhook_deliveries" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_age" ON "webhook_deliveries" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "webhooks_maker_url" ON "webhooks" USING btree ("account_id","maker","url");