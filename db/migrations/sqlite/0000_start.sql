CREATE TABLE `accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`bucket` integer NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`credits` integer NOT NULL,
	`entries` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_email` ON `accounts` (`email`);--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`hash` text NOT NULL,
	`name` text NOT NULL,
	`scopes` text NOT NULL,
	`created_at` integer NOT NULL,
	`revoked_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash` ON `api_keys` (`hash`);--> statement-breakpoint
CREATE INDEX `api_keys_account` ON `api_keys` (`account_id`);--> statement-breakpoint
CREATE TABLE `deliveries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`project_no` integer NOT NULL,
	`lane` integer NOT NULL,
	`at` integer NOT NULL,
	`status` integer NOT NULL,
	`provider` text NOT NULL,
	`detail` text,
	`first` integer NOT NULL,
	`last` integer NOT NULL,
	`members` blob NOT NULL
);
--> statement-breakpoint
CREATE INDEX `deliveries_project` ON `deliveries` (`project_no`);--> statement-breakpoint
CREATE TABLE `idempotency` (
	`account_id` text NOT NULL,
	`operation` text NOT NULL,
	`key` text NOT NULL,
	`input_hash` text NOT NULL,
	`owner` text,
	`locked_until` integer NOT NULL,
	`created_at` integer NOT NULL,
	`result` text,
	PRIMARY KEY(`account_id`, `operation`, `key`)
);
--> statement-breakpoint
CREATE INDEX `idempotency_age` ON `idempotency` (`created_at`);--> statement-breakpoint
CREATE TABLE `ledger` (
	`account_id` text NOT NULL,
	`no` integer NOT NULL,
	`at` integer NOT NULL,
	`kind` text NOT NULL,
	`credits` integer NOT NULL,
	`balance_after` integer NOT NULL,
	`project_id` text,
	`order_id` text,
	`source` text NOT NULL,
	`description` text NOT NULL,
	PRIMARY KEY(`account_id`, `no`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `ledger_source` ON `ledger` (`account_id`,`kind`,`source`);--> statement-breakpoint
CREATE TABLE `links` (
	`id` integer PRIMARY KEY NOT NULL,
	`bucket` integer NOT NULL,
	`url` text NOT NULL,
	`state` integer NOT NULL,
	`error` text,
	`sent_at` integer,
	`indexed_at` integer,
	`cancelled_at` integer,
	`warnings` text
);
--> statement-breakpoint
CREATE TABLE `meta` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `observations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`project_no` integer NOT NULL,
	`at` integer NOT NULL,
	`look` integer NOT NULL,
	`result` integer NOT NULL,
	`method` text NOT NULL,
	`provider` text NOT NULL,
	`counts` text,
	`reason` text,
	`first` integer NOT NULL,
	`last` integer NOT NULL,
	`members` blob NOT NULL
);
--> statement-breakpoint
CREATE INDEX `observations_project` ON `observations` (`project_no`);--> statement-breakpoint
CREATE TABLE `orders` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`pack` text NOT NULL,
	`credits` integer NOT NULL,
	`amount_cents` integer NOT NULL,
	`currency` text NOT NULL,
	`method` text NOT NULL,
	`status` text NOT NULL,
	`checkout_url` text,
	`transaction` text,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`paid_at` integer
);
--> statement-breakpoint
CREATE INDEX `orders_account` ON `orders` (`account_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `orders_paid` ON `orders` (`account_id`,`status`);--> statement-breakpoint
CREATE TABLE `projects` (
	`no` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`bucket` integer NOT NULL,
	`account_id` text NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`mode` text,
	`bing` integer NOT NULL,
	`yandex` integer NOT NULL,
	`drip_days` integer NOT NULL,
	`status` text NOT NULL,
	`price` integer NOT NULL,
	`total` integer NOT NULL,
	`waiting` integer NOT NULL,
	`checking` integer NOT NULL,
	`indexed` integer NOT NULL,
	`not_indexed` integer NOT NULL,
	`failed` integer NOT NULL,
	`credits_spent` integer NOT NULL,
	`credits_returned` integer NOT NULL,
	`created_at` integer NOT NULL,
	`completed_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `projects_id` ON `projects` (`id`);--> statement-breakpoint
CREATE INDEX `projects_account` ON `projects` (`account_id`,`no`);--> statement-breakpoint
CREATE TABLE `providers` (
	`name` text PRIMARY KEY NOT NULL,
	`ok_at` integer,
	`failed_at` integer,
	`failures` integer NOT NULL,
	`reason` text
);
--> statement-breakpoint
CREATE TABLE `steps` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`bucket` integer NOT NULL,
	`project_no` integer NOT NULL,
	`lane` integer NOT NULL,
	`action` integer NOT NULL,
	`look` integer NOT NULL,
	`negatives` integer NOT NULL,
	`tries` integer NOT NULL,
	`available_ms` integer NOT NULL,
	`looked_at` integer,
	`priority` integer NOT NULL,
	`due_at` integer NOT NULL,
	`first` integer NOT NULL,
	`members` blob NOT NULL,
	`size` integer NOT NULL,
	`lease` text,
	`lease_until` integer,
	`intent_at` integer
);
--> statement-breakpoint
CREATE INDEX `steps_due` ON `steps` (`priority`,`due_at`);--> statement-breakpoint
CREATE INDEX `steps_project` ON `steps` (`project_no`,`lane`);--> statement-breakpoint
CREATE TABLE `url_sets` (
	`project_no` integer PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`hashes` blob NOT NULL
);
--> statement-breakpoint
CREATE INDEX `url_sets_account` ON `url_sets` (`account_id`);--> statement-breakpoint
CREATE TABLE `usage` (
	`account_id` text NOT NULL,
	`day` integer NOT NULL,
	`requests` integer NOT NULL,
	`submissions` integer NOT NULL,
	PRIMARY KEY(`account_id`, `day`)
);
