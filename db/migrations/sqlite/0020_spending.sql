CREATE TABLE `approvals` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`credential` text NOT NULL,
	`credential_name` text NOT NULL,
	`holder` text NOT NULL,
	`operation` text NOT NULL,
	`input_hash` text NOT NULL,
	`credits` integer NOT NULL,
	`about` text NOT NULL,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`decided_at` integer,
	`used_at` integer,
	`project_id` text
);
--> statement-breakpoint
CREATE INDEX `approvals_account` ON `approvals` (`account_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `approvals_age` ON `approvals` (`expires_at`);--> statement-breakpoint
CREATE TABLE `budgets` (
	`account_id` text NOT NULL,
	`holder` text NOT NULL,
	`per_call` integer,
	`per_day` integer,
	`per_month` integer,
	`total` integer,
	`approve_above` integer,
	`expires_at` integer,
	`day` integer DEFAULT 0 NOT NULL,
	`spent_today` integer DEFAULT 0 NOT NULL,
	`month` integer DEFAULT 0 NOT NULL,
	`spent_this_month` integer DEFAULT 0 NOT NULL,
	`spent` integer DEFAULT 0 NOT NULL,
	`asked_at` integer,
	PRIMARY KEY(`account_id`, `holder`)
);
--> statement-breakpoint
ALTER TABLE `direct_payments` ADD `credential` text;--> statement-breakpoint
ALTER TABLE `grants` ADD `holder` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `ledger` ADD `credential` text;--> statement-breakpoint
CREATE INDEX `ledger_credential` ON `ledger` (`account_id`,`credential`,`no`);--> statement-breakpoint
ALTER TABLE `orders` ADD `credential` text;--> statement-breakpoint
ALTER TABLE `projects` ADD `credential` text;--> statement-breakpoint
CREATE INDEX `projects_credential` ON `projects` (`account_id`,`credential`,`no`);--> statement-breakpoint
-- A grant of an app spends the budget of its client; that of an agent the budget of its name.
UPDATE `grants` SET `holder` = coalesce(`client_id`, 'agent:' || `name`);
