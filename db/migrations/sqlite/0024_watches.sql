CREATE TABLE `watch_pages` (
	`watch_no` integer NOT NULL,
	`part` integer NOT NULL,
	`account_id` text NOT NULL,
	`records` blob NOT NULL,
	`urls` blob,
	PRIMARY KEY(`watch_no`, `part`)
);
--> statement-breakpoint
CREATE INDEX `watch_pages_account` ON `watch_pages` (`account_id`);--> statement-breakpoint
CREATE TABLE `watch_runs` (
	`watch_no` integer NOT NULL,
	`no` integer NOT NULL,
	`account_id` text NOT NULL,
	`at` integer NOT NULL,
	`result` text NOT NULL,
	`new_pages` integer NOT NULL,
	`changed_pages` integer NOT NULL,
	`removed_pages` integer NOT NULL,
	`same_pages` integer NOT NULL,
	`waiting` integer NOT NULL,
	`submitted` integer NOT NULL,
	`notified` integer NOT NULL,
	`credits_spent` integer NOT NULL,
	`project_id` text,
	`reason` text,
	`examples` text,
	`notifications` text,
	`notify_at` integer,
	PRIMARY KEY(`watch_no`, `no`)
);
--> statement-breakpoint
CREATE INDEX `watch_runs_account` ON `watch_runs` (`account_id`);--> statement-breakpoint
CREATE INDEX `watch_runs_notify` ON `watch_runs` (`notify_at`) WHERE "watch_runs"."notify_at" is not null;--> statement-breakpoint
CREATE TABLE `watches` (
	`no` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`account_id` text NOT NULL,
	`maker` text NOT NULL,
	`holder` text NOT NULL,
	`sitemap_url` text NOT NULL,
	`every` text NOT NULL,
	`new_pages` text NOT NULL,
	`changed_pages` text NOT NULL,
	`removed_pages` text NOT NULL,
	`include` text NOT NULL,
	`exclude` text NOT NULL,
	`mode` text NOT NULL,
	`most_per_run` integer NOT NULL,
	`credits_per_month` integer NOT NULL,
	`recheck` text NOT NULL,
	`stop_when_indexed` integer NOT NULL,
	`first_run` text NOT NULL,
	`status` text NOT NULL,
	`reason` text,
	`version` integer DEFAULT 0 NOT NULL,
	`runs` integer DEFAULT 0 NOT NULL,
	`next_run_at` integer,
	`lease_until` integer,
	`month` integer DEFAULT 0 NOT NULL,
	`spent_this_month` integer DEFAULT 0 NOT NULL,
	`told_month` integer DEFAULT 0 NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL,
	`pages` integer DEFAULT 0 NOT NULL,
	`waiting` integer DEFAULT 0 NOT NULL,
	`parts` integer DEFAULT 1 NOT NULL,
	`documents` text,
	`estimate` integer,
	`recheck_at` integer,
	`recheck_project` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `watches_id` ON `watches` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `watches_sitemap` ON `watches` (`account_id`,`sitemap_url`);--> statement-breakpoint
CREATE INDEX `watches_due` ON `watches` (`next_run_at`) WHERE "watches"."next_run_at" is not null;