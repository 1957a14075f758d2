CREATE TABLE "mail_queue" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text,
	"sealed_mail" text NOT NULL,
	"created_at" bigint NOT NULL,
	"tries" smallint NOT NULL,
	"next_at" bigint NOT NULL,
	"lease" text
);
--> statement-breakpoint
CREATE INDEX "mail_queue_due" ON "mail_queue" USING btree ("next_at");--> statement-breakpoint
CREATE INDEX "mail_queue_account" ON "mail_queue" USING btree ("account_id");