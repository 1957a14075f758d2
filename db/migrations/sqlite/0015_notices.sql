CREATE TABLE `notice_digests` (
	`account_id` text PRIMARY KEY NOT NULL,
	`after_no` integer NOT NULL,
	`due_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `notice_digests_due` ON `notice_digests` (`due_at`);--> statement-breakpoint
CREATE TABLE `notices_off` (
	`account_id` text NOT NULL,
	`kind` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `kind`)
);
