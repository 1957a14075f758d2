CREATE TABLE `ticks` (
	`job` text NOT NULL,
	`slot` integer NOT NULL,
	`node` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`job`, `slot`)
);
--> statement-breakpoint
ALTER TABLE `calls` ADD `bucket` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `deliveries` ADD `bucket` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `observations` ADD `bucket` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
UPDATE deliveries SET bucket = (SELECT bucket FROM projects WHERE no = project_no);
--> statement-breakpoint
UPDATE observations SET bucket = (SELECT bucket FROM projects WHERE no = project_no);
--> statement-breakpoint
UPDATE calls SET bucket = coalesce((SELECT bucket FROM steps WHERE id = step_id), 0);
