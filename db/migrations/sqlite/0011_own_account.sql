CREATE TABLE `account_deletions` (
	`account_id` text PRIMARY KEY NOT NULL,
	`requested_at` integer NOT NULL,
	`due_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `account_deletions_due` ON `account_deletions` (`due_at`);--> statement-breakpoint
CREATE TABLE `address_undos` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` text NOT NULL,
	`hash` text NOT NULL,
	`email` text NOT NULL,
	`requested_at` integer NOT NULL,
	`changed_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `address_undos_hash` ON `address_undos` (`hash`);--> statement-breakpoint
CREATE INDEX `address_undos_account` ON `address_undos` (`account_id`);--> statement-breakpoint
CREATE INDEX `address_undos_email` ON `address_undos` (`email`);--> statement-breakpoint
CREATE INDEX `address_undos_expiry` ON `address_undos` (`expires_at`);--> statement-breakpoint
ALTER TABLE `accounts` ADD `deleted_at` integer;--> statement-breakpoint
CREATE INDEX `accounts_deleted` ON `accounts` (`deleted_at`) WHERE "accounts"."deleted_at" is not null;--> statement-breakpoint
ALTER TABLE `mail_links` ADD `account_id` text;--> statement-breakpoint
CREATE INDEX `mail_links_account` ON `mail_links` (`account_id`);