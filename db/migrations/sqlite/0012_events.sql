CREATE TABLE `events` (
	`account_id` text NOT NULL,
	`no` integer NOT NULL,
	`at` integer NOT NULL,
	`type` text NOT NULL,
	`project_id` text,
	`data` text NOT NULL,
	`queued_at` integer,
	PRIMARY KEY(`account_id`, `no`)
);
--> statement-breakpoint
CREATE INDEX `events_age` ON `events` (`at`);--> statement-breakpoint
CREATE INDEX `events_queued` ON `events` (`queued_at`) WHERE "events"."queued_at" is not null;--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`webhook_id` text NOT NULL,
	`account_id` text NOT NULL,
	`event_no` integer NOT NULL,
	`status` integer NOT NULL,
	`attempts` text NOT NULL,
	`tries` integer NOT NULL,
	`next_at` integer,
	`lease` text,
	`lease_until` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_deliveries_event` ON `webhook_deliveries` (`webhook_id`,`event_no`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`next_at`) WHERE "webhook_deliveries"."next_at" is not null;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_account` ON `webhook_deliveries` (`account_id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_age` ON `webhook_deliveries` (`created_at`);--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`maker` text NOT NULL,
	`url` text NOT NULL,
	`types` text,
	`description` text NOT NULL,
	`status` text NOT NULL,
	`sealed_secret` text NOT NULL,
	`sealed_previous_secret` text,
	`previous_until` integer,
	`created_at` integer NOT NULL,
	`last_success_at` integer,
	`failing_since` integer,
	`last_failure_at` integer,
	`last_failure_status` integer,
	`last_failure_reason` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhooks_maker_url` ON `webhooks` (`account_id`,`maker`,`url`);--> statement-breakpoint
ALTER TABLE `accounts` ADD `events` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `accounts` ADD `low_credits` integer DEFAULT 100 NOT NULL;