DROP INDEX "steps_project";--> statement-breakpoint
CREATE INDEX "steps_project_due" ON "steps" USING btree ("project_no","lane","due_at");