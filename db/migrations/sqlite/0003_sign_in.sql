CREATE TABLE `access_tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`grant_id` text NOT NULL,
	`scopes` text NOT NULL,
	`audience` text NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `access_tokens_expiry` ON `access_tokens` (`expires_at`);--> statement-breakpoint
CREATE TABLE `clients` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`redirect_uris` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `codes` (
	`hash` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`client_id` text NOT NULL,
	`client_name` text NOT NULL,
	`redirect_uri` text NOT NULL,
	`challenge` text NOT NULL,
	`scopes` text NOT NULL,
	`audience` text NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	`grant_id` text
);
--> statement-breakpoint
CREATE INDEX `codes_expiry` ON `codes` (`expires_at`);--> statement-breakpoint
CREATE TABLE `grants` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`kind` text NOT NULL,
	`client_id` text,
	`name` text NOT NULL,
	`scopes` text NOT NULL,
	`assertion_hash` text,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	`revoked_at` integer,
	`ended_by` text
);
--> statement-breakpoint
CREATE INDEX `grants_account` ON `grants` (`account_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `grants_client` ON `grants` (`client_id`);--> statement-breakpoint
CREATE TABLE `mail_links` (
	`hash` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`email` text NOT NULL,
	`password_hash` text,
	`visitor_hash` text NOT NULL,
	`return_to` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	`wrong_passwords` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `mail_links_email` ON `mail_links` (`email`);--> statement-breakpoint
CREATE INDEX `mail_links_expiry` ON `mail_links` (`expires_at`);--> statement-breakpoint
CREATE TABLE `refresh_tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`grant_id` text NOT NULL,
	`audience` text NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer
);
--> statement-breakpoint
CREATE INDEX `refresh_tokens_expiry` ON `refresh_tokens` (`expires_at`);--> statement-breakpoint
CREATE TABLE `registrations` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`agent_name` text NOT NULL,
	`scopes` text NOT NULL,
	`status` text NOT NULL,
	`claim_hash` text NOT NULL,
	`attempt_hash` text NOT NULL,
	`code_hash` text NOT NULL,
	`code_expires_at` integer NOT NULL,
	`wrong_codes` integer NOT NULL,
	`interval` integer NOT NULL,
	`polled_at` integer,
	`grant_id` text,
	`delivered_at` integer,
	`ip` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `registrations_claim` ON `registrations` (`claim_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `registrations_attempt` ON `registrations` (`attempt_hash`);--> statement-breakpoint
CREATE INDEX `registrations_expiry` ON `registrations` (`expires_at`);--> statement-breakpoint
CREATE TABLE `security_events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` text NOT NULL,
	`at` integer NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`ip` text
);
--> statement-breakpoint
CREATE INDEX `security_events_account` ON `security_events` (`account_id`,`id`);--> statement-breakpoint
CREATE INDEX `security_events_age` ON `security_events` (`at`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`account_id` text NOT NULL,
	`authenticated_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`browser` text NOT NULL,
	`ip` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_hash` ON `sessions` (`hash`);--> statement-breakpoint
CREATE INDEX `sessions_account` ON `sessions` (`account_id`);--> statement-breakpoint
CREATE TABLE `signing_keys` (
	`kid` text PRIMARY KEY NOT NULL,
	`jwk` text NOT NULL,
	`created_at` integer NOT NULL,
	`retired_at` integer
);
--> statement-breakpoint
ALTER TABLE `windows` RENAME COLUMN `account_id` TO `subject`;--> statement-breakpoint
ALTER TABLE `accounts` ADD `password_hash` text;--> statement-breakpoint
ALTER TABLE `accounts` ADD `verified_at` integer;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `ending` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `last_used_at` integer;