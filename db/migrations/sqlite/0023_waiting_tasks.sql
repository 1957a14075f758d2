ALTER TABLE `tasks` ADD `approval_id` text;--> statement-breakpoint
ALTER TABLE `tasks` ADD `resume_at` integer;--> statement-breakpoint
CREATE INDEX `tasks_approval` ON `tasks` (`approval_id`) WHERE "tasks"."approval_id" is not null;--> statement-breakpoint
CREATE INDEX `tasks_resume` ON `tasks` (`resume_at`) WHERE "tasks"."resume_at" is not null;