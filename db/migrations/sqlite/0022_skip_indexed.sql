ALTER TABLE `projects` ADD `skip_indexed` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `projects` ADD `looked_up` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `projects` ADD `already_indexed` integer DEFAULT 0 NOT NULL;