CREATE TABLE `task_messages` (
	`account_id` text NOT NULL,
	`message_id` text NOT NULL,
	`task_id` text NOT NULL,
	`digest` text NOT NULL,
	PRIMARY KEY(`account_id`, `message_id`)
);
--> statement-breakpoint
CREATE INDEX `task_messages_task` ON `task_messages` (`task_id`);--> statement-breakpoint
CREATE TABLE `tasks` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`context_id` text NOT NULL,
	`skill` text,
	`state` integer NOT NULL,
	`state_at` integer NOT NULL,
	`version` integer DEFAULT 0 NOT NULL,
	`input` text,
	`said` text,
	`answer` text,
	`answer_headers` text,
	`history` text NOT NULL,
	`metadata` text,
	`project_no` integer,
	`created_at` integer NOT NULL,
	`expires_at` integer
);
--> statement-breakpoint
CREATE INDEX `tasks_account` ON `tasks` (`account_id`,`state_at`,`id`);--> statement-breakpoint
CREATE INDEX `tasks_open` ON `tasks` (`account_id`,`state`) WHERE "tasks"."expires_at" is null;--> statement-breakpoint
CREATE INDEX `tasks_expires` ON `tasks` (`expires_at`);