CREATE TABLE `card_disputes` (
	`id` text PRIMARY KEY NOT NULL,
	`payment_id` text NOT NULL,
	`state` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `card_disputes_payment` ON `card_disputes` (`payment_id`);--> statement-breakpoint
CREATE TABLE `card_events` (
	`id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`order_id` text,
	`problem` text,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `card_events_order` ON `card_events` (`order_id`);--> statement-breakpoint
CREATE TABLE `card_payments` (
	`id` text PRIMARY KEY NOT NULL,
	`order_id` text,
	`refunded_cents` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `card_payments_order` ON `card_payments` (`order_id`);--> statement-breakpoint
CREATE TABLE `direct_payments` (
	`key` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`pack` text NOT NULL,
	`credits` integer NOT NULL,
	`amount_cents` integer NOT NULL,
	`amount` text NOT NULL,
	`network` text NOT NULL,
	`asset` text NOT NULL,
	`payer` text NOT NULL,
	`pay_to` text NOT NULL,
	`nonce` text NOT NULL,
	`valid_before` integer NOT NULL,
	`state` text NOT NULL,
	`owner` text,
	`locked_until` integer NOT NULL,
	`since_block` integer,
	`hash` text,
	`block` integer,
	`transfer` text,
	`order_id` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `direct_payments_state` ON `direct_payments` (`state`,`created_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `direct_payments_transfer` ON `direct_payments` (`transfer`);--> statement-breakpoint
CREATE UNIQUE INDEX `direct_payments_order` ON `direct_payments` (`order_id`);--> statement-breakpoint
ALTER TABLE `orders` ADD `taken_back` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `orders` ADD `reference` text;--> statement-breakpoint
CREATE INDEX `orders_open` ON `orders` (`status`,`expires_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `orders_reference` ON `orders` (`reference`);