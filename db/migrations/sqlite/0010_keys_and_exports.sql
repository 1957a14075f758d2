CREATE TABLE `export_chunks` (
	`account_id` text NOT NULL,
	`export_id` text NOT NULL,
	`no` integer NOT NULL,
	`data` blob NOT NULL,
	PRIMARY KEY(`account_id`, `export_id`, `no`)
);
--> statement-breakpoint
CREATE TABLE `exports` (
	`account_id` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`requested_at` integer NOT NULL,
	`lease` text,
	`lease_until` integer,
	`failures` integer NOT NULL,
	`rows_done` integer NOT NULL,
	`rows_total` integer NOT NULL,
	`completed_at` integer,
	`expires_at` integer,
	`bytes` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `exports_id` ON `exports` (`id`);--> statement-breakpoint
CREATE INDEX `exports_open` ON `exports` (`completed_at`);--> statement-breakpoint
CREATE TABLE `key_usage` (
	`account_id` text NOT NULL,
	`key_id` text NOT NULL,
	`day` integer NOT NULL,
	`calls` integer NOT NULL,
	PRIMARY KEY(`key_id`, `day`)
);
--> statement-breakpoint
CREATE INDEX `key_usage_account` ON `key_usage` (`account_id`);--> statement-breakpoint
CREATE INDEX `key_usage_day` ON `key_usage` (`day`);--> statement-breakpoint
ALTER TABLE `api_keys` ADD `expires_at` integer;--> statement-breakpoint
ALTER TABLE `grants` ADD `ends_at` integer;--> statement-breakpoint
UPDATE grants SET ends_at = tokens.until FROM (
	SELECT grant_id, max(expires_at) AS until FROM (
		SELECT grant_id, expires_at FROM refresh_tokens UNION ALL SELECT grant_id, expires_at FROM access_tokens
	) AS issued GROUP BY grant_id
) AS tokens WHERE tokens.grant_id = grants.id;
--> statement-breakpoint
UPDATE grants SET ends_at = created_at WHERE kind = 'oauth' AND ends_at IS NULL;
--> statement-breakpoint
-- The assertion of an agent lasts 30 days from when it was collected, at most a day and ten minutes after it was claimed.
UPDATE grants SET ends_at = created_at + 2679000000 WHERE kind = 'agent' AND assertion_hash IS NOT NULL;
