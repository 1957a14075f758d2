CREATE TABLE `mail_queue` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text,
	`sealed_mail` text NOT NULL,
	`created_at` integer NOT NULL,
	`tries` integer NOT NULL,
	`next_at` integer NOT NULL,
	`lease` text
);
--> statement-breakpoint
CREATE INDEX `mail_queue_due` ON `mail_queue` (`next_at`);--> statement-breakpoint
CREATE INDEX `mail_queue_account` ON `mail_queue` (`account_id`);