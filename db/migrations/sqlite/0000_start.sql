CREATE TABLE `access_tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`grant_id` text NOT NULL,
	`scopes` text NOT NULL,
	`audience` text NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `access_tokens_expiry` ON `access_tokens` (`expires_at`);--> statement-breakpoint
CREATE TABLE `account_deletions` (
	`account_id` text PRIMARY KEY NOT NULL,
	`requested_at` integer NOT NULL,
	`due_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `account_deletions_due` ON `account_deletions` (`due_at`);--> statement-breakpoint
CREATE TABLE `accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`bucket` integer NOT NULL,
	`name` text NOT NULL,
	`credits` integer NOT NULL,
	`entries` integer NOT NULL,
	`events` integer DEFAULT 0 NOT NULL,
	`low_credits` integer DEFAULT 100 NOT NULL,
	`created_at` integer NOT NULL,
	`disabled_at` integer,
	`disabled_reason` text,
	`deleted_at` integer
);
--> statement-breakpoint
CREATE INDEX `accounts_deleted` ON `accounts` (`deleted_at`) WHERE "accounts"."deleted_at" is not null;--> statement-breakpoint
CREATE TABLE `address_undos` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`person_id` text NOT NULL,
	`hash` text NOT NULL,
	`email` text NOT NULL,
	`requested_at` integer NOT NULL,
	`changed_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `address_undos_hash` ON `address_undos` (`hash`);--> statement-breakpoint
CREATE INDEX `address_undos_person` ON `address_undos` (`person_id`);--> statement-breakpoint
CREATE INDEX `address_undos_email` ON `address_undos` (`email`);--> statement-breakpoint
CREATE INDEX `address_undos_expiry` ON `address_undos` (`expires_at`);--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`person_id` text NOT NULL,
	`hash` text NOT NULL,
	`name` text NOT NULL,
	`ending` text DEFAULT '' NOT NULL,
	`scopes` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	`revoked_at` integer,
	`expires_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash` ON `api_keys` (`hash`);--> statement-breakpoint
CREATE INDEX `api_keys_account` ON `api_keys` (`account_id`);--> statement-breakpoint
CREATE TABLE `approvals` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`credential` text NOT NULL,
	`credential_name` text NOT NULL,
	`person_id` text,
	`holder` text NOT NULL,
	`operation` text NOT NULL,
	`input_hash` text NOT NULL,
	`digest` text NOT NULL,
	`credits` integer NOT NULL,
	`about` text NOT NULL,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`decided_at` integer,
	`decided_by` text,
	`used_at` integer,
	`project_id` text
);
--> statement-breakpoint
CREATE INDEX `approvals_account` ON `approvals` (`account_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `approvals_age` ON `approvals` (`expires_at`);--> statement-breakpoint
CREATE TABLE `authenticator_apps` (
	`person_id` text PRIMARY KEY NOT NULL,
	`sealed_secret` text NOT NULL,
	`last_step` integer NOT NULL,
	`wrong_codes` integer NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer
);
--> statement-breakpoint
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
CREATE INDEX `bing_checks_project` ON `bing_checks` (`project_no`);--> statement-breakpoint
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
CREATE TABLE `calls` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`bucket` integer DEFAULT 0 NOT NULL,
	`step_id` integer NOT NULL,
	`provider` text NOT NULL,
	`reference` text NOT NULL,
	`first` integer NOT NULL,
	`members` blob NOT NULL,
	`begun_at` integer NOT NULL,
	`outcomes` text
);
--> statement-breakpoint
CREATE INDEX `calls_step` ON `calls` (`step_id`);--> statement-breakpoint
CREATE TABLE `card_disputes` (
	`id` text PRIMARY KEY NOT NULL,
	`payment_id` text NOT NULL,
	`state` text NOT NULL,
	`said_at` integer DEFAULT 0 NOT NULL
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
	`refunded_cents` integer NOT NULL,
	`refunded_at` integer DEFAULT 0 NOT NULL,
	`arrived_at` integer DEFAULT 0 NOT NULL,
	`failed_at` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `card_payments_order` ON `card_payments` (`order_id`);--> statement-breakpoint
CREATE TABLE `card_refunds` (
	`id` text PRIMARY KEY NOT NULL,
	`payment_id` text NOT NULL,
	`cents` integer NOT NULL,
	`failed_at` integer,
	`failure_heard_at` integer
);
--> statement-breakpoint
CREATE INDEX `card_refunds_payment` ON `card_refunds` (`payment_id`);--> statement-breakpoint
CREATE TABLE `clients` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`redirect_uris` text NOT NULL,
	`scopes` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `codes` (
	`hash` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`person_id` text NOT NULL,
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
CREATE TABLE `connection_attempts` (
	`hash` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `connection_attempts_account` ON `connection_attempts` (`account_id`);--> statement-breakpoint
CREATE TABLE `connections` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`person_id` text NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`name` text NOT NULL,
	`scopes` text NOT NULL,
	`sealed_secret` text NOT NULL,
	`properties` text NOT NULL,
	`created_at` integer NOT NULL,
	`checked_at` integer,
	`next_look_at` integer NOT NULL,
	`failing_since` integer,
	`failure` text,
	`ended_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `connections_subject` ON `connections` (`account_id`,`kind`,`subject`);--> statement-breakpoint
CREATE INDEX `connections_look` ON `connections` (`next_look_at`);--> statement-breakpoint
CREATE TABLE `coverage_changes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`bucket` integer NOT NULL,
	`project_no` integer NOT NULL,
	`at` integer NOT NULL,
	`verdicts` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `coverage_days` (
	`account_id` text NOT NULL,
	`host` text NOT NULL,
	`day` integer NOT NULL,
	`pages` integer NOT NULL,
	`in_google` integer NOT NULL,
	`not_in_google` integer NOT NULL,
	PRIMARY KEY(`account_id`, `host`, `day`)
);
--> statement-breakpoint
CREATE INDEX `coverage_days_day` ON `coverage_days` (`day`);--> statement-breakpoint
CREATE TABLE `coverage_hosts` (
	`account_id` text NOT NULL,
	`host` text NOT NULL,
	`pages` integer NOT NULL,
	`in_google` integer NOT NULL,
	`not_in_google` integer NOT NULL,
	`reasons` text NOT NULL,
	`found` text NOT NULL,
	`as_of` integer NOT NULL,
	PRIMARY KEY(`account_id`, `host`)
);
--> statement-breakpoint
CREATE TABLE `coverage_pages` (
	`account_id` text NOT NULL,
	`url_hash` integer NOT NULL,
	`verdict` text NOT NULL,
	`reason` text,
	`at` integer NOT NULL,
	`was_found` integer NOT NULL,
	PRIMARY KEY(`account_id`, `url_hash`)
);
--> statement-breakpoint
CREATE TABLE `crawler_ranges` (
	`name` text PRIMARY KEY NOT NULL,
	`networks` text NOT NULL,
	`published_at` integer,
	`read_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `deliveries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`bucket` integer DEFAULT 0 NOT NULL,
	`project_no` integer NOT NULL,
	`lane` integer NOT NULL,
	`at` integer NOT NULL,
	`status` integer NOT NULL,
	`provider` text NOT NULL,
	`detail` text,
	`first` integer NOT NULL,
	`last` integer NOT NULL,
	`members` blob NOT NULL
);
--> statement-breakpoint
CREATE INDEX `deliveries_project` ON `deliveries` (`project_no`);--> statement-breakpoint
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
	`missing_since` integer,
	`order_id` text,
	`credential` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `direct_payments_state` ON `direct_payments` (`state`,`created_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `direct_payments_transfer` ON `direct_payments` (`transfer`);--> statement-breakpoint
CREATE UNIQUE INDEX `direct_payments_order` ON `direct_payments` (`order_id`);--> statement-breakpoint
CREATE TABLE `ended_sessions` (
	`session` text NOT NULL,
	`account_id` text NOT NULL,
	`maker` text NOT NULL,
	`ended_at` integer NOT NULL,
	PRIMARY KEY(`session`, `maker`)
);
--> statement-breakpoint
CREATE INDEX `ended_sessions_account` ON `ended_sessions` (`account_id`);--> statement-breakpoint
CREATE INDEX `ended_sessions_age` ON `ended_sessions` (`ended_at`);--> statement-breakpoint
CREATE TABLE `event_subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`maker` text NOT NULL,
	`url` text NOT NULL,
	`type` text NOT NULL,
	`arguments` text NOT NULL,
	`sealed_secret` text NOT NULL,
	`sealed_previous_secret` text,
	`previous_until` integer,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`events_before` integer NOT NULL,
	`suspended_at` integer,
	`last_success_at` integer,
	`failing_since` integer,
	`last_failure_reason` text
);
--> statement-breakpoint
CREATE INDEX `event_subscriptions_account` ON `event_subscriptions` (`account_id`);--> statement-breakpoint
CREATE INDEX `event_subscriptions_end` ON `event_subscriptions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `events` (
	`account_id` text NOT NULL,
	`no` integer NOT NULL,
	`at` integer NOT NULL,
	`type` text NOT NULL,
	`project_id` text,
	`data` text NOT NULL,
	`queued_at` integer,
	PRIMARY KEY(`account_id`, `no`)
);
--> statement-breakpoint
CREATE INDEX `events_age` ON `events` (`at`);--> statement-breakpoint
CREATE INDEX `events_queued` ON `events` (`queued_at`) WHERE "events"."queued_at" is not null;--> statement-breakpoint
CREATE TABLE `experiments` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`project_no` integer NOT NULL,
	`control_no` integer NOT NULL,
	`seed` text NOT NULL,
	`open_arms` integer NOT NULL,
	`created_at` integer NOT NULL,
	`decided_at` integer
);
--> statement-breakpoint
CREATE INDEX `experiments_account` ON `experiments` (`account_id`);--> statement-breakpoint
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
	`person_id` text NOT NULL,
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
CREATE TABLE `factor_removals` (
	`person_id` text PRIMARY KEY NOT NULL,
	`cancel_hash` text NOT NULL,
	`requested_at` integer NOT NULL,
	`due_at` integer NOT NULL,
	`reminded_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `factor_removals_cancel` ON `factor_removals` (`cancel_hash`);--> statement-breakpoint
CREATE INDEX `factor_removals_due` ON `factor_removals` (`due_at`);--> statement-breakpoint
CREATE TABLE `grants` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`person_id` text NOT NULL,
	`kind` text NOT NULL,
	`client_id` text,
	`holder` text DEFAULT '' NOT NULL,
	`name` text NOT NULL,
	`scopes` text NOT NULL,
	`assertion_hash` text,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	`revoked_at` integer,
	`ends_at` integer,
	`ended_by` text
);
--> statement-breakpoint
CREATE INDEX `grants_account` ON `grants` (`account_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `grants_client` ON `grants` (`client_id`);--> statement-breakpoint
CREATE TABLE `idempotency` (
	`account_id` text NOT NULL,
	`operation` text NOT NULL,
	`key` text NOT NULL,
	`input_hash` text NOT NULL,
	`owner` text,
	`locked_until` integer NOT NULL,
	`created_at` integer NOT NULL,
	`result` text,
	PRIMARY KEY(`account_id`, `operation`, `key`)
);
--> statement-breakpoint
CREATE INDEX `idempotency_age` ON `idempotency` (`created_at`);--> statement-breakpoint
CREATE TABLE `identities` (
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`person_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer NOT NULL,
	PRIMARY KEY(`issuer`, `subject`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `identities_person` ON `identities` (`person_id`,`issuer`);--> statement-breakpoint
CREATE TABLE `invitations` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`email` text NOT NULL,
	`role` text NOT NULL,
	`person_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_email` ON `invitations` (`account_id`,`email`);--> statement-breakpoint
CREATE INDEX `invitations_address` ON `invitations` (`email`);--> statement-breakpoint
CREATE INDEX `invitations_expiry` ON `invitations` (`expires_at`);--> statement-breakpoint
CREATE TABLE `issuer_sign_ins` (
	`state_hash` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`visitor_hash` text NOT NULL,
	`return_to` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `issuer_sign_ins_expiry` ON `issuer_sign_ins` (`expires_at`);--> statement-breakpoint
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
CREATE TABLE `ledger` (
	`account_id` text NOT NULL,
	`no` integer NOT NULL,
	`at` integer NOT NULL,
	`kind` text NOT NULL,
	`credits` integer NOT NULL,
	`balance_after` integer NOT NULL,
	`project_id` text,
	`order_id` text,
	`credential` text,
	`person_id` text,
	`source` text NOT NULL,
	`description` text NOT NULL,
	PRIMARY KEY(`account_id`, `no`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `ledger_source` ON `ledger` (`account_id`,`kind`,`source`);--> statement-breakpoint
CREATE INDEX `ledger_credential` ON `ledger` (`account_id`,`credential`,`no`);--> statement-breakpoint
CREATE TABLE `links` (
	`id` integer PRIMARY KEY NOT NULL,
	`bucket` integer NOT NULL,
	`url` text NOT NULL,
	`state` integer NOT NULL,
	`error` text,
	`sent_at` integer,
	`indexed_at` integer,
	`cancelled_at` integer,
	`warnings` text
);
--> statement-breakpoint
CREATE TABLE `mail_links` (
	`hash` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`email` text NOT NULL,
	`person_id` text,
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
CREATE INDEX `mail_links_person` ON `mail_links` (`person_id`);--> statement-breakpoint
CREATE INDEX `mail_links_expiry` ON `mail_links` (`expires_at`);--> statement-breakpoint
CREATE TABLE `mail_queue` (
	`id` text PRIMARY KEY NOT NULL,
	`person_id` text,
	`sealed_mail` text NOT NULL,
	`created_at` integer NOT NULL,
	`tries` integer NOT NULL,
	`next_at` integer NOT NULL,
	`lease` text
);
--> statement-breakpoint
CREATE INDEX `mail_queue_due` ON `mail_queue` (`next_at`);--> statement-breakpoint
CREATE INDEX `mail_queue_person` ON `mail_queue` (`person_id`);--> statement-breakpoint
CREATE TABLE `members` (
	`account_id` text NOT NULL,
	`person_id` text NOT NULL,
	`role` text NOT NULL,
	`joined_at` integer NOT NULL,
	`chosen_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `person_id`)
);
--> statement-breakpoint
CREATE INDEX `members_person` ON `members` (`person_id`);--> statement-breakpoint
CREATE TABLE `meta` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `named_pages` (
	`no` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`watch_no` integer NOT NULL,
	`account_id` text NOT NULL,
	`at` integer NOT NULL,
	`urls` text NOT NULL,
	`count` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `named_pages_watch` ON `named_pages` (`watch_no`);--> statement-breakpoint
CREATE INDEX `named_pages_at` ON `named_pages` (`at`);--> statement-breakpoint
CREATE INDEX `named_pages_account` ON `named_pages` (`account_id`);--> statement-breakpoint
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
--> statement-breakpoint
CREATE TABLE `observations` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`bucket` integer DEFAULT 0 NOT NULL,
	`project_no` integer NOT NULL,
	`at` integer NOT NULL,
	`look` integer NOT NULL,
	`result` integer NOT NULL,
	`method` text NOT NULL,
	`provider` text NOT NULL,
	`counts` text,
	`reason` text,
	`first` integer NOT NULL,
	`last` integer NOT NULL,
	`members` blob NOT NULL
);
--> statement-breakpoint
CREATE INDEX `observations_project` ON `observations` (`project_no`);--> statement-breakpoint
CREATE TABLE `orders` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`pack` text NOT NULL,
	`credits` integer NOT NULL,
	`amount_cents` integer NOT NULL,
	`currency` text NOT NULL,
	`method` text NOT NULL,
	`status` text NOT NULL,
	`checkout_url` text,
	`transaction` text,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`paid_at` integer,
	`taken_back` integer DEFAULT 0 NOT NULL,
	`reference` text,
	`credential` text,
	`receipt_no` integer,
	`tax_cents` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `orders_receipt` ON `orders` (`account_id`,`receipt_no`);--> statement-breakpoint
CREATE INDEX `orders_account` ON `orders` (`account_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `orders_paid` ON `orders` (`account_id`,`status`);--> statement-breakpoint
CREATE INDEX `orders_open` ON `orders` (`status`,`expires_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `orders_reference` ON `orders` (`reference`);--> statement-breakpoint
CREATE TABLE `page_facts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`bucket` integer DEFAULT 0 NOT NULL,
	`project_no` integer NOT NULL,
	`source` integer NOT NULL,
	`at` integer NOT NULL,
	`shared` text NOT NULL,
	`times` blob,
	`own` text,
	`first` integer NOT NULL,
	`last` integer NOT NULL,
	`members` blob NOT NULL
);
--> statement-breakpoint
CREATE INDEX `page_facts_project` ON `page_facts` (`project_no`);--> statement-breakpoint
CREATE TABLE `passkey_challenges` (
	`challenge` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`visitor_hash` text NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `passkey_challenges_expiry` ON `passkey_challenges` (`expires_at`);--> statement-breakpoint
CREATE TABLE `passkeys` (
	`id` text PRIMARY KEY NOT NULL,
	`person_id` text NOT NULL,
	`credential_id` text NOT NULL,
	`public_key` text NOT NULL,
	`sign_count` integer NOT NULL,
	`transports` text NOT NULL,
	`is_backed_up` integer NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `passkeys_credential` ON `passkeys` (`credential_id`);--> statement-breakpoint
CREATE INDEX `passkeys_person` ON `passkeys` (`person_id`);--> statement-breakpoint
CREATE TABLE `pending_sign_ins` (
	`hash` text PRIMARY KEY NOT NULL,
	`person_id` text NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `pending_sign_ins_person` ON `pending_sign_ins` (`person_id`);--> statement-breakpoint
CREATE INDEX `pending_sign_ins_expiry` ON `pending_sign_ins` (`expires_at`);--> statement-breakpoint
CREATE TABLE `people` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`verified_at` integer,
	`password_hash` text,
	`is_factor_required` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `people_email` ON `people` (`email`);--> statement-breakpoint
CREATE TABLE `project_tags` (
	`account_id` text NOT NULL,
	`tag` text NOT NULL,
	`project_no` integer NOT NULL,
	PRIMARY KEY(`account_id`, `tag`, `project_no`)
);
--> statement-breakpoint
CREATE INDEX `project_tags_project` ON `project_tags` (`project_no`);--> statement-breakpoint
CREATE TABLE `projects` (
	`no` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` text NOT NULL,
	`bucket` integer NOT NULL,
	`account_id` text NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`mode` text,
	`bing` integer NOT NULL,
	`yandex` integer NOT NULL,
	`drip_days` integer NOT NULL,
	`sitemap_url` text,
	`parent_id` text,
	`status` text NOT NULL,
	`price` integer NOT NULL,
	`total` integer NOT NULL,
	`waiting` integer NOT NULL,
	`checking` integer NOT NULL,
	`indexed` integer NOT NULL,
	`not_indexed` integer NOT NULL,
	`failed` integer NOT NULL,
	`credits_spent` integer NOT NULL,
	`credits_returned` integer NOT NULL,
	`skip_indexed` integer DEFAULT false NOT NULL,
	`looked_up` integer DEFAULT 0 NOT NULL,
	`already_indexed` integer DEFAULT 0 NOT NULL,
	`covered` integer DEFAULT 0 NOT NULL,
	`experiment_id` text,
	`credential` text,
	`person_id` text,
	`created_at` integer NOT NULL,
	`completed_at` integer,
	`tags` text,
	`archived` integer DEFAULT false NOT NULL,
	`opened_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `projects_id` ON `projects` (`id`);--> statement-breakpoint
CREATE INDEX `projects_account` ON `projects` (`account_id`,`no`);--> statement-breakpoint
CREATE INDEX `projects_credential` ON `projects` (`account_id`,`credential`,`no`);--> statement-breakpoint
CREATE INDEX `projects_uncovered` ON `projects` (`created_at`) WHERE "projects"."covered" < "projects"."total";--> statement-breakpoint
CREATE TABLE `provider_days` (
	`name` text NOT NULL,
	`day` integer NOT NULL,
	`calls` integer NOT NULL,
	`units` integer NOT NULL,
	`accepted` integer NOT NULL,
	`rejected` integer NOT NULL,
	`uncertain` integer NOT NULL,
	`indexed` integer NOT NULL,
	`not_indexed` integer NOT NULL,
	`unknown` integer NOT NULL,
	`failures` integer NOT NULL,
	`cost` integer NOT NULL,
	PRIMARY KEY(`name`, `day`)
);
--> statement-breakpoint
CREATE TABLE `providers` (
	`name` text PRIMARY KEY NOT NULL,
	`ok_at` integer,
	`failed_at` integer,
	`failures` integer NOT NULL,
	`reason` text,
	`held_until` integer
);
--> statement-breakpoint
CREATE TABLE `push_configs` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`task_id` text NOT NULL,
	`maker` text NOT NULL,
	`config_id` text NOT NULL,
	`url` text NOT NULL,
	`protocol` text NOT NULL,
	`sealed_secrets` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `push_configs_config` ON `push_configs` (`task_id`,`maker`,`config_id`);--> statement-breakpoint
CREATE INDEX `push_configs_account` ON `push_configs` (`account_id`);--> statement-breakpoint
CREATE TABLE `recovery_codes` (
	`person_id` text NOT NULL,
	`hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`used_at` integer,
	PRIMARY KEY(`person_id`, `hash`)
);
--> statement-breakpoint
CREATE TABLE `refresh_tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`grant_id` text NOT NULL,
	`audience` text NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	`sealed_successor` text
);
--> statement-breakpoint
CREATE INDEX `refresh_tokens_expiry` ON `refresh_tokens` (`expires_at`);--> statement-breakpoint
CREATE INDEX `refresh_tokens_sealed` ON `refresh_tokens` (`used_at`) WHERE "refresh_tokens"."sealed_successor" is not null;--> statement-breakpoint
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
CREATE TABLE `resource_subscriptions` (
	`session` text NOT NULL,
	`account_id` text NOT NULL,
	`maker` text NOT NULL,
	`project_no` integer NOT NULL,
	`is_links` integer NOT NULL,
	`fingerprint` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`session`, `maker`, `project_no`, `is_links`)
);
--> statement-breakpoint
CREATE INDEX `resource_subscriptions_account` ON `resource_subscriptions` (`account_id`);--> statement-breakpoint
CREATE INDEX `resource_subscriptions_age` ON `resource_subscriptions` (`created_at`);--> statement-breakpoint
CREATE TABLE `security_events` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` text,
	`person_id` text,
	`role` text,
	`credential` text,
	`at` integer NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`target` text,
	`ip` text
);
--> statement-breakpoint
CREATE INDEX `security_events_account` ON `security_events` (`account_id`,`id`);--> statement-breakpoint
CREATE INDEX `security_events_person` ON `security_events` (`person_id`,`id`);--> statement-breakpoint
CREATE INDEX `security_events_age` ON `security_events` (`at`);--> statement-breakpoint
CREATE INDEX `security_events_target` ON `security_events` (`target`) WHERE "security_events"."target" is not null;--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`person_id` text NOT NULL,
	`account_id` text NOT NULL,
	`authenticated_at` integer NOT NULL,
	`factor_at` integer,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`browser` text NOT NULL,
	`ip` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_hash` ON `sessions` (`hash`);--> statement-breakpoint
CREATE INDEX `sessions_person` ON `sessions` (`person_id`);--> statement-breakpoint
CREATE TABLE `shares` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`hash` text NOT NULL,
	`project_id` text,
	`host` text,
	`title` text NOT NULL,
	`from_name` text NOT NULL,
	`maker` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`ended_at` integer,
	`last_seen_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `shares_hash` ON `shares` (`hash`);--> statement-breakpoint
CREATE INDEX `shares_account` ON `shares` (`account_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `shares_end` ON `shares` (`expires_at`);--> statement-breakpoint
CREATE TABLE `signing_keys` (
	`kid` text PRIMARY KEY NOT NULL,
	`jwk` text NOT NULL,
	`created_at` integer NOT NULL,
	`retired_at` integer
);
--> statement-breakpoint
CREATE TABLE `sites` (
	`id` text PRIMARY KEY NOT NULL,
	`bucket` integer NOT NULL,
	`account_id` text NOT NULL,
	`host` text NOT NULL,
	`status` text NOT NULL,
	`indexnow_key` text NOT NULL,
	`key_url` text NOT NULL,
	`connections` text NOT NULL,
	`push_secret_hash` text,
	`created_at` integer NOT NULL,
	`verified_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sites_account_host` ON `sites` (`account_id`,`host`);--> statement-breakpoint
CREATE TABLE `steps` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`bucket` integer NOT NULL,
	`project_no` integer NOT NULL,
	`lane` integer NOT NULL,
	`action` integer NOT NULL,
	`look` integer NOT NULL,
	`negatives` integer NOT NULL,
	`tries` integer NOT NULL,
	`available_ms` integer NOT NULL,
	`looked_at` integer,
	`priority` integer NOT NULL,
	`due_at` integer NOT NULL,
	`first` integer NOT NULL,
	`members` blob NOT NULL,
	`size` integer NOT NULL,
	`lease` text,
	`lease_until` integer,
	`intent_at` integer
);
--> statement-breakpoint
CREATE INDEX `steps_due` ON `steps` (`priority`,`due_at`);--> statement-breakpoint
CREATE INDEX `steps_project_due` ON `steps` (`project_no`,`lane`,`due_at`);--> statement-breakpoint
CREATE INDEX `steps_leased` ON `steps` (`lease_until`) WHERE "steps"."lease_until" is not null;--> statement-breakpoint
CREATE TABLE `task_messages` (
	`account_id` text NOT NULL,
	`message_id` text NOT NULL,
	`task_id` text NOT NULL,
	`digest` text NOT NULL,
	PRIMARY KEY(`account_id`, `message_id`)
);
--> statement-breakpoint
CREATE INDEX `task_messages_task` ON `task_messages` (`task_id`);--> statement-breakpoint
CREATE TABLE `tasks` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`context_id` text NOT NULL,
	`skill` text,
	`state` integer NOT NULL,
	`state_at` integer NOT NULL,
	`revision` integer DEFAULT 0 NOT NULL,
	`input` text,
	`said` text,
	`answer` text,
	`answer_headers` text,
	`history` text NOT NULL,
	`metadata` text,
	`project_no` integer,
	`approval_id` text,
	`resume_at` integer,
	`created_at` integer NOT NULL,
	`expires_at` integer
);
--> statement-breakpoint
CREATE INDEX `tasks_account` ON `tasks` (`account_id`,`state_at`,`id`);--> statement-breakpoint
CREATE INDEX `tasks_open` ON `tasks` (`account_id`,`state`) WHERE "tasks"."expires_at" is null;--> statement-breakpoint
CREATE INDEX `tasks_expires` ON `tasks` (`expires_at`);--> statement-breakpoint
CREATE INDEX `tasks_approval` ON `tasks` (`approval_id`) WHERE "tasks"."approval_id" is not null;--> statement-breakpoint
CREATE INDEX `tasks_resume` ON `tasks` (`resume_at`) WHERE "tasks"."resume_at" is not null;--> statement-breakpoint
CREATE TABLE `ticks` (
	`job` text NOT NULL,
	`slot` integer NOT NULL,
	`node` text NOT NULL,
	`version` text DEFAULT '' NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`job`, `slot`)
);
--> statement-breakpoint
CREATE TABLE `url_sets` (
	`project_no` integer PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`hashes` blob NOT NULL
);
--> statement-breakpoint
CREATE INDEX `url_sets_account` ON `url_sets` (`account_id`);--> statement-breakpoint
CREATE TABLE `usage` (
	`account_id` text NOT NULL,
	`day` integer NOT NULL,
	`requests` integer NOT NULL,
	`submissions` integer NOT NULL,
	PRIMARY KEY(`account_id`, `day`)
);
--> statement-breakpoint
CREATE TABLE `visit_imports` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` text NOT NULL,
	`site_id` text NOT NULL,
	`digest` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `visit_imports_digest` ON `visit_imports` (`account_id`,`site_id`,`digest`);--> statement-breakpoint
CREATE INDEX `visit_imports_at` ON `visit_imports` (`at`);--> statement-breakpoint
CREATE TABLE `visits` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` text NOT NULL,
	`url_hash` integer NOT NULL,
	`url` text NOT NULL,
	`agent` text NOT NULL,
	`verified` text NOT NULL,
	`first_at` integer NOT NULL,
	`last_at` integer NOT NULL,
	`count` integer NOT NULL,
	`status` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `visits_page` ON `visits` (`account_id`,`url_hash`,`agent`,`verified`);--> statement-breakpoint
CREATE INDEX `visits_last` ON `visits` (`last_at`);--> statement-breakpoint
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
	`held_digest` text,
	`revision` integer DEFAULT 0 NOT NULL,
	`runs` integer DEFAULT 0 NOT NULL,
	`next_run_at` integer,
	`read_at` integer,
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
	`recheck_pages` integer DEFAULT 0 NOT NULL,
	`recheck_at` integer,
	`recheck_project` text,
	`sealed_hook_secret` text,
	`called_at` integer,
	`created_at` integer NOT NULL,
	`changed_at` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `watches_id` ON `watches` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `watches_sitemap` ON `watches` (`account_id`,`sitemap_url`);--> statement-breakpoint
CREATE INDEX `watches_due` ON `watches` (`next_run_at`) WHERE "watches"."next_run_at" is not null;--> statement-breakpoint
CREATE INDEX `watches_recheck_due` ON `watches` (`recheck_at`) WHERE "watches"."recheck_at" is not null;--> statement-breakpoint
CREATE INDEX `watches_rechecked` ON `watches` (`recheck_project`) WHERE "watches"."recheck_project" is not null;--> statement-breakpoint
CREATE INDEX `watches_called` ON `watches` (`called_at`) WHERE "watches"."called_at" is not null;--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`webhook_id` text NOT NULL,
	`account_id` text NOT NULL,
	`host` text DEFAULT '' NOT NULL,
	`event_no` integer NOT NULL,
	`status` integer NOT NULL,
	`attempts` text NOT NULL,
	`tries` integer NOT NULL,
	`next_at` integer,
	`lease` text,
	`lease_until` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_deliveries_event` ON `webhook_deliveries` (`webhook_id`,`event_no`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`next_at`) WHERE "webhook_deliveries"."next_at" is not null;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_account` ON `webhook_deliveries` (`account_id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_age` ON `webhook_deliveries` (`created_at`);--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`maker` text NOT NULL,
	`url` text NOT NULL,
	`types` text,
	`description` text NOT NULL,
	`status` text NOT NULL,
	`sealed_secret` text NOT NULL,
	`sealed_previous_secret` text,
	`previous_until` integer,
	`created_at` integer NOT NULL,
	`changed_at` integer DEFAULT 0 NOT NULL,
	`events_before` integer DEFAULT 0 NOT NULL,
	`last_success_at` integer,
	`failing_since` integer,
	`last_failure_at` integer,
	`last_failure_status` integer,
	`last_failure_reason` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `webhooks_maker_url` ON `webhooks` (`account_id`,`maker`,`url`);--> statement-breakpoint
CREATE TABLE `windows` (
	`subject` text NOT NULL,
	`name` text NOT NULL,
	`window` integer NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`subject`, `name`)
);
--> statement-breakpoint
-- What follows is written by hand.
-- The ledger is append-only and a chain: each entry is the account's next, and says the account's balance.
CREATE TRIGGER ledger_no_update BEFORE UPDATE ON ledger BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER ledger_no_delete BEFORE DELETE ON ledger BEGIN
  SELECT RAISE(ABORT, 'the ledger is append-only');
END;
--> statement-breakpoint
CREATE TRIGGER ledger_chain BEFORE INSERT ON ledger
WHEN NOT EXISTS (
  SELECT 1 FROM accounts WHERE id = NEW.account_id AND credits = NEW.balance_after AND entries = NEW.no
) OR NEW.balance_after <> NEW.credits + coalesce(
  (SELECT balance_after FROM ledger WHERE account_id = NEW.account_id AND no = NEW.no - 1), 0)
BEGIN
  SELECT RAISE(ABORT, 'the ledger entry breaks the chain');
END;
