CREATE TABLE `bing_checks` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`bucket` integer DEFAULT 0 NOT NULL,
	`project_no` integer NOT NULL,
	`at` integer NOT NULL,
	`stage` integer NOT NULL,
	`result` integer NOT NULL,
	`reason` text,
	`first` integer NOT NULL,
	`last` integer NOT NULL,
	`members` blob NOT NULL
);
--> statement-breakpoint
CREATE INDEX `bing_checks_project` ON `bing_checks` (`project_no`);