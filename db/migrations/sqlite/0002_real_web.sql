CREATE TABLE `calls` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`step_id` integer NOT NULL,
	`provider` text NOT NULL,
	`reference` text NOT NULL,
	`first` integer NOT NULL,
	`members` blob NOT NULL,
	`begun_at` integer NOT NULL,
	`outcomes` text
);
--> statement-breakpoint
CREATE INDEX `calls_step` ON `calls` (`step_id`);--> statement-breakpoint
CREATE TABLE `provider_days` (
	`name` text NOT NULL,
	`day` integer NOT NULL,
	`calls` integer NOT NULL,
	`units` integer NOT NULL,
	`accepted` integer NOT NULL,
	`rejected` integer NOT NULL,
	`uncertain` integer NOT NULL,
	`indexed` integer NOT NULL,
	`not_indexed` integer NOT NULL,
	`unknown` integer NOT NULL,
	`failures` integer NOT NULL,
	`cost` integer NOT NULL,
	PRIMARY KEY(`name`, `day`)
);
--> statement-breakpoint
CREATE TABLE `sites` (
	`id` text PRIMARY KEY NOT NULL,
	`bucket` integer NOT NULL,
	`account_id` text NOT NULL,
	`host` text NOT NULL,
	`status` text NOT NULL,
	`indexnow_key` text NOT NULL,
	`key_url` text NOT NULL,
	`connections` text NOT NULL,
	`created_at` integer NOT NULL,
	`verified_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sites_account_host` ON `sites` (`account_id`,`host`);--> statement-breakpoint
CREATE TABLE `windows` (
	`account_id` text NOT NULL,
	`name` text NOT NULL,
	`window` integer NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`account_id`, `name`)
);
--> statement-breakpoint
ALTER TABLE `projects` ADD `sitemap_url` text;--> statement-breakpoint
ALTER TABLE `providers` ADD `held_until` integer;