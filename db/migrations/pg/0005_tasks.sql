CREATE TABLE "task_messages" (
	"account_id" text NOT NULL,
	"message_id" text NOT NULL,
	"task_id" text NOT NULL,
	"digest" text NOT NULL,
	CONSTRAINT "task_messages_account_id_message_id_pk" PRIMARY KEY("account_id","message_id")
);
--> statement-breakpoint
CREATE TABLE "tasks" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"context_id" text NOT NULL,
	"skill" text,
	"state" smallint NOT NULL,
	"state_at" bigint NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"input" text,
	"said" text,
	"answer" text,
	"answer_headers" text,
	"history" text NOT NULL,
	"metadata" text,
	"project_no" bigint,
	"created_at" bigint NOT NULL,
	"expires_at" bigint
);
--> statement-breakpoint
CREATE INDEX "task_messages_task" ON "task_messages" USING btree ("task_id");--> statement-breakpoint
CREATE INDEX "tasks_account" ON "tasks" USING btree ("account_id","state_at","id");--> statement-breakpoint
CREATE INDEX "tasks_open" ON "tasks" USING btree ("account_id","state") WHERE "tasks"."expires_at" is null;--> statement-breakpoint
CREATE INDEX "tasks_expires" ON "tasks" USING btree ("expires_at");