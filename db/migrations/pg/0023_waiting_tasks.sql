ALTER TABLE "tasks" ADD COLUMN "approval_id" text;--> statement-breakpoint
ALTER TABLE "tasks" ADD COLUMN "resume_at" bigint;--> statement-breakpoint
CREATE INDEX "tasks_approval" ON "tasks" USING btree ("approval_id") WHERE "tasks"."approval_id" is not null;--> statement-breakpoint
CREATE INDEX "tasks_resume" ON "tasks" USING btree ("resume_at") WHERE "tasks"."resume_at" is not null;