CREATE TABLE `push_configs` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`task_id` text NOT NULL,
	`maker` text NOT NULL,
	`config_id` text NOT NULL,
	`url` text NOT NULL,
	`protocol` text NOT NULL,
	`sealed_secrets` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `push_configs_config` ON `push_configs` (`task_id`,`maker`,`config_id`);--> statement-breakpoint
CREATE INDEX `push_configs_account` ON `push_configs` (`account_id`);--> statement-breakpoint
CREATE TABLE `resource_subscriptions` (
	`session` text NOT NULL,
	`account_id` text NOT NULL,
	`maker` text NOT NULL,
	`project_no` integer NOT NULL,
	`is_links` integer NOT NULL,
	`version` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`session`, `maker`, `project_no`, `is_links`)
);
--> statement-breakpoint
CREATE INDEX `resource_subscriptions_account` ON `resource_subscriptions` (`account_id`);--> statement-breakpoint
CREATE INDEX `resource_subscriptions_age` ON `resource_subscriptions` (`created_at`);