CREATE TABLE "access_tokens" (
	"hash" text PRIMARY KEY NOT NULL,
	"grant_id" text NOT NULL,
	"scopes" text NOT NULL,
	"audience" text NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "account_deletions" (
	"account_id" text PRIMARY KEY NOT NULL,
	"requested_at" bigint NOT NULL,
	"due_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "accounts" (
	"id" text PRIMARY KEY NOT NULL,
	"bucket" smallint NOT NULL,
	"name" text NOT NULL,
	"credits" bigint NOT NULL,
	"entries" bigint NOT NULL,
	"events" bigint DEFAULT 0 NOT NULL,
	"low_credits" integer DEFAULT 100 NOT NULL,
	"created_at" bigint NOT NULL,
	"disabled_at" bigint,
	"disabled_reason" text,
	"deleted_at" bigint
);
--> statement-breakpoint
CREATE TABLE "address_undos" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "address_undos_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"person_id" text NOT NULL,
	"hash" text NOT NULL,
	"email" text NOT NULL,
	"requested_at" bigint NOT NULL,
	"changed_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"person_id" text NOT NULL,
	"hash" text NOT NULL,
	"name" text NOT NULL,
	"ending" text DEFAULT '' NOT NULL,
	"scopes" text NOT NULL,
	"created_at" bigint NOT NULL,
	"last_used_at" bigint,
	"revoked_at" bigint,
	"expires_at" bigint
);
--> statement-breakpoint
CREATE TABLE "approvals" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"credential" text NOT NULL,
	"credential_name" text NOT NULL,
	"person_id" text,
	"holder" text NOT NULL,
	"operation" text NOT NULL,
	"input_hash" text NOT NULL,
	"digest" text NOT NULL,
	"credits" integer NOT NULL,
	"about" text NOT NULL,
	"status" text NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"decided_at" bigint,
	"decided_by" text,
	"used_at" bigint,
	"project_id" text
);
--> statement-breakpoint
CREATE TABLE "authenticator_apps" (
	"person_id" text PRIMARY KEY NOT NULL,
	"sealed_secret" text NOT NULL,
	"last_step" bigint NOT NULL,
	"wrong_codes" integer NOT NULL,
	"created_at" bigint NOT NULL,
	"last_used_at" bigint
);
--> statement-breakpoint
CREATE TABLE "bing_checks" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "bing_checks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"bucket" smallint DEFAULT 0 NOT NULL,
	"project_no" bigint NOT NULL,
	"at" bigint NOT NULL,
	"stage" smallint NOT NULL,
	"result" smallint NOT NULL,
	"reason" text,
	"first" smallint NOT NULL,
	"last" smallint NOT NULL,
	"members" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "budgets" (
	"account_id" text NOT NULL,
	"holder" text NOT NULL,
	"per_call" integer,
	"per_day" integer,
	"per_month" integer,
	"total" integer,
	"approve_above" integer,
	"expires_at" bigint,
	"day" integer DEFAULT 0 NOT NULL,
	"spent_today" bigint DEFAULT 0 NOT NULL,
	"month" integer DEFAULT 0 NOT NULL,
	"spent_this_month" bigint DEFAULT 0 NOT NULL,
	"spent" bigint DEFAULT 0 NOT NULL,
	"asked_at" bigint,
	CONSTRAINT "budgets_account_id_holder_pk" PRIMARY KEY("account_id","holder")
);
--> statement-breakpoint
CREATE TABLE "calls" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "calls_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"bucket" smallint DEFAULT 0 NOT NULL,
	"step_id" bigint NOT NULL,
	"provider" text NOT NULL,
	"reference" text NOT NULL,
	"first" smallint NOT NULL,
	"members" "bytea" NOT NULL,
	"begun_at" bigint NOT NULL,
	"outcomes" text
);
--> statement-breakpoint
CREATE TABLE "card_disputes" (
	"id" text PRIMARY KEY NOT NULL,
	"payment_id" text NOT NULL,
	"state" text NOT NULL,
	"said_at" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "card_events" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"order_id" text,
	"problem" text,
	"at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "card_payments" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text,
	"refunded_cents" integer NOT NULL,
	"refunded_at" bigint DEFAULT 0 NOT NULL,
	"arrived_at" bigint DEFAULT 0 NOT NULL,
	"failed_at" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "card_refunds" (
	"id" text PRIMARY KEY NOT NULL,
	"payment_id" text NOT NULL,
	"cents" integer NOT NULL,
	"failed_at" bigint,
	"failure_heard_at" bigint
);
--> statement-breakpoint
CREATE TABLE "clients" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"redirect_uris" text NOT NULL,
	"scopes" text,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "codes" (
	"hash" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"person_id" text NOT NULL,
	"client_id" text NOT NULL,
	"client_name" text NOT NULL,
	"redirect_uri" text NOT NULL,
	"challenge" text NOT NULL,
	"scopes" text NOT NULL,
	"audience" text NOT NULL,
	"expires_at" bigint NOT NULL,
	"used_at" bigint,
	"grant_id" text
);
--> statement-breakpoint
CREATE TABLE "connection_attempts" (
	"hash" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "connections" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"person_id" text NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"name" text NOT NULL,
	"scopes" text NOT NULL,
	"sealed_secret" text NOT NULL,
	"properties" text NOT NULL,
	"created_at" bigint NOT NULL,
	"checked_at" bigint,
	"next_look_at" bigint NOT NULL,
	"failing_since" bigint,
	"failure" text,
	"ended_at" bigint
);
--> statement-breakpoint
CREATE TABLE "coverage_changes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "coverage_changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"bucket" smallint NOT NULL,
	"project_no" bigint NOT NULL,
	"at" bigint NOT NULL,
	"verdicts" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "coverage_days" (
	"account_id" text NOT NULL,
	"host" text NOT NULL,
	"day" integer NOT NULL,
	"pages" integer NOT NULL,
	"in_google" integer NOT NULL,
	"not_in_google" integer NOT NULL,
	CONSTRAINT "coverage_days_account_id_host_day_pk" PRIMARY KEY("account_id","host","day")
);
--> statement-breakpoint
CREATE TABLE "coverage_hosts" (
	"account_id" text NOT NULL,
	"host" text NOT NULL,
	"pages" integer NOT NULL,
	"in_google" integer NOT NULL,
	"not_in_google" integer NOT NULL,
	"reasons" text NOT NULL,
	"found" text NOT NULL,
	"as_of" bigint NOT NULL,
	CONSTRAINT "coverage_hosts_account_id_host_pk" PRIMARY KEY("account_id","host")
);
--> statement-breakpoint
CREATE TABLE "coverage_pages" (
	"account_id" text NOT NULL,
	"url_hash" bigint NOT NULL,
	"verdict" text NOT NULL,
	"reason" text,
	"at" bigint NOT NULL,
	"was_found" integer NOT NULL,
	CONSTRAINT "coverage_pages_account_id_url_hash_pk" PRIMARY KEY("account_id","url_hash")
);
--> statement-breakpoint
CREATE TABLE "crawler_ranges" (
	"name" text PRIMARY KEY NOT NULL,
	"networks" text NOT NULL,
	"published_at" bigint,
	"read_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "deliveries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "deliveries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"bucket" smallint DEFAULT 0 NOT NULL,
	"project_no" bigint NOT NULL,
	"lane" smallint NOT NULL,
	"at" bigint NOT NULL,
	"status" smallint NOT NULL,
	"provider" text NOT NULL,
	"detail" text,
	"first" smallint NOT NULL,
	"last" smallint NOT NULL,
	"members" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "direct_payments" (
	"key" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"pack" text NOT NULL,
	"credits" bigint NOT NULL,
	"amount_cents" integer NOT NULL,
	"amount" text NOT NULL,
	"network" text NOT NULL,
	"asset" text NOT NULL,
	"payer" text NOT NULL,
	"pay_to" text NOT NULL,
	"nonce" text NOT NULL,
	"valid_before" bigint NOT NULL,
	"state" text NOT NULL,
	"owner" text,
	"locked_until" bigint NOT NULL,
	"since_block" bigint,
	"hash" text,
	"block" bigint,
	"transfer" text,
	"missing_since" bigint,
	"order_id" text,
	"credential" text,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ended_sessions" (
	"session" text NOT NULL,
	"account_id" text NOT NULL,
	"maker" text NOT NULL,
	"ended_at" bigint NOT NULL,
	CONSTRAINT "ended_sessions_session_maker_pk" PRIMARY KEY("session","maker")
);
--> statement-breakpoint
CREATE TABLE "event_subscriptions" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"maker" text NOT NULL,
	"url" text NOT NULL,
	"type" text NOT NULL,
	"arguments" text NOT NULL,
	"sealed_secret" text NOT NULL,
	"sealed_previous_secret" text,
	"previous_until" bigint,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"events_before" bigint NOT NULL,
	"suspended_at" bigint,
	"last_success_at" bigint,
	"failing_since" bigint,
	"last_failure_reason" text
);
--> statement-breakpoint
CREATE TABLE "events" (
	"account_id" text NOT NULL,
	"no" bigint NOT NULL,
	"at" bigint NOT NULL,
	"type" text NOT NULL,
	"project_id" text,
	"data" text NOT NULL,
	"queued_at" bigint,
	CONSTRAINT "events_account_id_no_pk" PRIMARY KEY("account_id","no")
);
--> statement-breakpoint
CREATE TABLE "experiments" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"project_no" bigint NOT NULL,
	"control_no" bigint NOT NULL,
	"seed" text NOT NULL,
	"open_arms" smallint NOT NULL,
	"created_at" bigint NOT NULL,
	"decided_at" bigint
);
--> statement-breakpoint
CREATE TABLE "export_chunks" (
	"account_id" text NOT NULL,
	"export_id" text NOT NULL,
	"no" integer NOT NULL,
	"data" "bytea" NOT NULL,
	CONSTRAINT "export_chunks_account_id_export_id_no_pk" PRIMARY KEY("account_id","export_id","no")
);
--> statement-breakpoint
CREATE TABLE "exports" (
	"account_id" text PRIMARY KEY NOT NULL,
	"person_id" text NOT NULL,
	"id" text NOT NULL,
	"requested_at" bigint NOT NULL,
	"lease" text,
	"lease_until" bigint,
	"failures" integer NOT NULL,
	"rows_done" integer NOT NULL,
	"rows_total" integer NOT NULL,
	"completed_at" bigint,
	"expires_at" bigint,
	"bytes" bigint
);
--> statement-breakpoint
CREATE TABLE "factor_removals" (
	"person_id" text PRIMARY KEY NOT NULL,
	"cancel_hash" text NOT NULL,
	"requested_at" bigint NOT NULL,
	"due_at" bigint NOT NULL,
	"reminded_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "grants" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"person_id" text NOT NULL,
	"kind" text NOT NULL,
	"client_id" text,
	"holder" text DEFAULT '' NOT NULL,
	"name" text NOT NULL,
	"scopes" text NOT NULL,
	"assertion_hash" text,
	"created_at" bigint NOT NULL,
	"last_used_at" bigint,
	"revoked_at" bigint,
	"ends_at" bigint,
	"ended_by" text
);
--> statement-breakpoint
CREATE TABLE "idempotency" (
	"account_id" text NOT NULL,
	"operation" text NOT NULL,
	"key" text NOT NULL,
	"input_hash" text NOT NULL,
	"owner" text,
	"locked_until" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"result" text,
	CONSTRAINT "idempotency_account_id_operation_key_pk" PRIMARY KEY("account_id","operation","key")
);
--> statement-breakpoint
CREATE TABLE "identities" (
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"person_id" text NOT NULL,
	"created_at" bigint NOT NULL,
	"last_used_at" bigint NOT NULL,
	CONSTRAINT "identities_issuer_subject_pk" PRIMARY KEY("issuer","subject")
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"email" text NOT NULL,
	"role" text NOT NULL,
	"person_id" text NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "issuer_sign_ins" (
	"state_hash" text PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"visitor_hash" text NOT NULL,
	"return_to" text NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "key_usage" (
	"account_id" text NOT NULL,
	"key_id" text NOT NULL,
	"day" integer NOT NULL,
	"calls" integer NOT NULL,
	CONSTRAINT "key_usage_key_id_day_pk" PRIMARY KEY("key_id","day")
);
--> statement-breakpoint
CREATE TABLE "ledger" (
	"account_id" text NOT NULL,
	"no" bigint NOT NULL,
	"at" bigint NOT NULL,
	"kind" text NOT NULL,
	"credits" bigint NOT NULL,
	"balance_after" bigint NOT NULL,
	"project_id" text,
	"order_id" text,
	"credential" text,
	"person_id" text,
	"source" text NOT NULL,
	"description" text NOT NULL,
	CONSTRAINT "ledger_account_id_no_pk" PRIMARY KEY("account_id","no")
);
--> statement-breakpoint
CREATE TABLE "links" (
	"id" bigint PRIMARY KEY NOT NULL,
	"bucket" smallint NOT NULL,
	"url" text NOT NULL,
	"state" smallint NOT NULL,
	"error" text,
	"sent_at" bigint,
	"indexed_at" bigint,
	"cancelled_at" bigint,
	"warnings" text
);
--> statement-breakpoint
CREATE TABLE "mail_links" (
	"hash" text PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"email" text NOT NULL,
	"person_id" text,
	"password_hash" text,
	"visitor_hash" text NOT NULL,
	"return_to" text,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"used_at" bigint,
	"wrong_passwords" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mail_queue" (
	"id" text PRIMARY KEY NOT NULL,
	"person_id" text,
	"sealed_mail" text NOT NULL,
	"created_at" bigint NOT NULL,
	"tries" smallint NOT NULL,
	"next_at" bigint NOT NULL,
	"lease" text
);
--> statement-breakpoint
CREATE TABLE "members" (
	"account_id" text NOT NULL,
	"person_id" text NOT NULL,
	"role" text NOT NULL,
	"joined_at" bigint NOT NULL,
	"chosen_at" bigint NOT NULL,
	CONSTRAINT "members_account_id_person_id_pk" PRIMARY KEY("account_id","person_id")
);
--> statement-breakpoint
CREATE TABLE "meta" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "named_pages" (
	"no" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "named_pages_no_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"watch_no" bigint NOT NULL,
	"account_id" text NOT NULL,
	"at" bigint NOT NULL,
	"urls" text NOT NULL,
	"count" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notice_digests" (
	"account_id" text PRIMARY KEY NOT NULL,
	"after_no" bigint NOT NULL,
	"due_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "notices_off" (
	"account_id" text NOT NULL,
	"kind" text NOT NULL,
	"at" bigint NOT NULL,
	CONSTRAINT "notices_off_account_id_kind_pk" PRIMARY KEY("account_id","kind")
);
--> statement-breakpoint
CREATE TABLE "observations" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "observations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"bucket" smallint DEFAULT 0 NOT NULL,
	"project_no" bigint NOT NULL,
	"at" bigint NOT NULL,
	"look" smallint NOT NULL,
	"result" smallint NOT NULL,
	"method" text NOT NULL,
	"provider" text NOT NULL,
	"counts" text,
	"reason" text,
	"first" smallint NOT NULL,
	"last" smallint NOT NULL,
	"members" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "orders" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"pack" text NOT NULL,
	"credits" bigint NOT NULL,
	"amount_cents" integer NOT NULL,
	"currency" text NOT NULL,
	"method" text NOT NULL,
	"status" text NOT NULL,
	"checkout_url" text,
	"transaction" text,
	"created_at" bigint NOT NULL,
	"expires_at" bigint,
	"paid_at" bigint,
	"taken_back" bigint DEFAULT 0 NOT NULL,
	"reference" text,
	"credential" text,
	"receipt_no" integer,
	"tax_cents" integer
);
--> statement-breakpoint
CREATE TABLE "page_facts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "page_facts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"bucket" smallint DEFAULT 0 NOT NULL,
	"project_no" bigint NOT NULL,
	"source" smallint NOT NULL,
	"at" bigint NOT NULL,
	"shared" text NOT NULL,
	"times" "bytea",
	"own" text,
	"first" smallint NOT NULL,
	"last" smallint NOT NULL,
	"members" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "passkey_challenges" (
	"challenge" text PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"visitor_hash" text NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" text PRIMARY KEY NOT NULL,
	"person_id" text NOT NULL,
	"credential_id" text NOT NULL,
	"public_key" text NOT NULL,
	"sign_count" bigint NOT NULL,
	"transports" text NOT NULL,
	"is_backed_up" boolean NOT NULL,
	"name" text NOT NULL,
	"created_at" bigint NOT NULL,
	"last_used_at" bigint
);
--> statement-breakpoint
CREATE TABLE "pending_sign_ins" (
	"hash" text PRIMARY KEY NOT NULL,
	"person_id" text NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "people" (
	"id" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"verified_at" bigint,
	"password_hash" text,
	"is_factor_required" boolean DEFAULT false NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "project_tags" (
	"account_id" text NOT NULL,
	"tag" text NOT NULL,
	"project_no" bigint NOT NULL,
	CONSTRAINT "project_tags_account_id_tag_project_no_pk" PRIMARY KEY("account_id","tag","project_no")
);
--> statement-breakpoint
CREATE TABLE "projects" (
	"no" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "projects_no_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"id" text NOT NULL,
	"bucket" smallint NOT NULL,
	"account_id" text NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"mode" text,
	"bing" boolean NOT NULL,
	"yandex" boolean NOT NULL,
	"drip_days" smallint NOT NULL,
	"sitemap_url" text,
	"parent_id" text,
	"status" text NOT NULL,
	"price" smallint NOT NULL,
	"total" integer NOT NULL,
	"waiting" integer NOT NULL,
	"checking" integer NOT NULL,
	"indexed" integer NOT NULL,
	"not_indexed" integer NOT NULL,
	"failed" integer NOT NULL,
	"credits_spent" bigint NOT NULL,
	"credits_returned" bigint NOT NULL,
	"skip_indexed" boolean DEFAULT false NOT NULL,
	"looked_up" integer DEFAULT 0 NOT NULL,
	"already_indexed" integer DEFAULT 0 NOT NULL,
	"covered" integer DEFAULT 0 NOT NULL,
	"experiment_id" text,
	"credential" text,
	"person_id" text,
	"created_at" bigint NOT NULL,
	"completed_at" bigint,
	"tags" text,
	"archived" boolean DEFAULT false NOT NULL,
	"opened_at" bigint
);
--> statement-breakpoint
CREATE TABLE "provider_days" (
	"name" text NOT NULL,
	"day" integer NOT NULL,
	"calls" integer NOT NULL,
	"units" integer NOT NULL,
	"accepted" integer NOT NULL,
	"rejected" integer NOT NULL,
	"uncertain" integer NOT NULL,
	"indexed" integer NOT NULL,
	"not_indexed" integer NOT NULL,
	"unknown" integer NOT NULL,
	"failures" integer NOT NULL,
	"cost" bigint NOT NULL,
	CONSTRAINT "provider_days_name_day_pk" PRIMARY KEY("name","day")
);
--> statement-breakpoint
CREATE TABLE "providers" (
	"name" text PRIMARY KEY NOT NULL,
	"ok_at" bigint,
	"failed_at" bigint,
	"failures" integer NOT NULL,
	"reason" text,
	"held_until" bigint
);
--> statement-breakpoint
CREATE TABLE "push_configs" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"task_id" text NOT NULL,
	"maker" text NOT NULL,
	"config_id" text NOT NULL,
	"url" text NOT NULL,
	"protocol" text NOT NULL,
	"sealed_secrets" text,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"person_id" text NOT NULL,
	"hash" text NOT NULL,
	"created_at" bigint NOT NULL,
	"used_at" bigint,
	CONSTRAINT "recovery_codes_person_id_hash_pk" PRIMARY KEY("person_id","hash")
);
--> statement-breakpoint
CREATE TABLE "refresh_tokens" (
	"hash" text PRIMARY KEY NOT NULL,
	"grant_id" text NOT NULL,
	"audience" text NOT NULL,
	"expires_at" bigint NOT NULL,
	"used_at" bigint,
	"sealed_successor" text
);
--> statement-breakpoint
CREATE TABLE "registrations" (
	"id" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"agent_name" text NOT NULL,
	"scopes" text NOT NULL,
	"status" text NOT NULL,
	"claim_hash" text NOT NULL,
	"attempt_hash" text NOT NULL,
	"code_hash" text NOT NULL,
	"code_expires_at" bigint NOT NULL,
	"wrong_codes" integer NOT NULL,
	"interval" integer NOT NULL,
	"polled_at" bigint,
	"grant_id" text,
	"delivered_at" bigint,
	"ip" text NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "resource_subscriptions" (
	"session" text NOT NULL,
	"account_id" text NOT NULL,
	"maker" text NOT NULL,
	"project_no" bigint NOT NULL,
	"is_links" boolean NOT NULL,
	"fingerprint" text NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "resource_subscriptions_session_maker_project_no_is_links_pk" PRIMARY KEY("session","maker","project_no","is_links")
);
--> statement-breakpoint
CREATE TABLE "security_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "security_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_id" text,
	"person_id" text,
	"role" text,
	"credential" text,
	"at" bigint NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"target" text,
	"ip" text
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"hash" text NOT NULL,
	"person_id" text NOT NULL,
	"account_id" text NOT NULL,
	"authenticated_at" bigint NOT NULL,
	"factor_at" bigint,
	"created_at" bigint NOT NULL,
	"last_seen_at" bigint NOT NULL,
	"browser" text NOT NULL,
	"ip" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "shares" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"hash" text NOT NULL,
	"project_id" text,
	"host" text,
	"title" text NOT NULL,
	"from_name" text NOT NULL,
	"maker" text NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"ended_at" bigint,
	"last_seen_at" bigint
);
--> statement-breakpoint
CREATE TABLE "signing_keys" (
	"kid" text PRIMARY KEY NOT NULL,
	"jwk" text NOT NULL,
	"created_at" bigint NOT NULL,
	"retired_at" bigint
);
--> statement-breakpoint
CREATE TABLE "sites" (
	"id" text PRIMARY KEY NOT NULL,
	"bucket" smallint NOT NULL,
	"account_id" text NOT NULL,
	"host" text NOT NULL,
	"status" text NOT NULL,
	"indexnow_key" text NOT NULL,
	"key_url" text NOT NULL,
	"connections" text NOT NULL,
	"push_secret_hash" text,
	"created_at" bigint NOT NULL,
	"verified_at" bigint
);
--> statement-breakpoint
CREATE TABLE "steps" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "steps_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"bucket" smallint NOT NULL,
	"project_no" bigint NOT NULL,
	"lane" smallint NOT NULL,
	"action" smallint NOT NULL,
	"look" smallint NOT NULL,
	"negatives" smallint NOT NULL,
	"tries" smallint NOT NULL,
	"available_ms" bigint NOT NULL,
	"looked_at" bigint,
	"priority" smallint NOT NULL,
	"due_at" bigint NOT NULL,
	"first" smallint NOT NULL,
	"members" "bytea" NOT NULL,
	"size" smallint NOT NULL,
	"lease" text,
	"lease_until" bigint,
	"intent_at" bigint
);
--> statement-breakpoint
CREATE TABLE "task_messages" (
	"account_id" text NOT NULL,
	"message_id" text NOT NULL,
	"task_id" text NOT NULL,
	"digest" text NOT NULL,
	CONSTRAINT "task_messages_account_id_message_id_pk" PRIMARY KEY("account_id","message_id")
);
--> statement-breakpoint
CREATE TABLE "tasks" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"context_id" text NOT NULL,
	"skill" text,
	"state" smallint NOT NULL,
	"state_at" bigint NOT NULL,
	"revision" integer DEFAULT 0 NOT NULL,
	"input" text,
	"said" text,
	"answer" text,
	"answer_headers" text,
	"history" text NOT NULL,
	"metadata" text,
	"project_no" bigint,
	"approval_id" text,
	"resume_at" bigint,
	"created_at" bigint NOT NULL,
	"expires_at" bigint
);
--> statement-breakpoint
CREATE TABLE "ticks" (
	"job" text NOT NULL,
	"slot" bigint NOT NULL,
	"node" text NOT NULL,
	"version" text DEFAULT '' NOT NULL,
	"at" bigint NOT NULL,
	CONSTRAINT "ticks_job_slot_pk" PRIMARY KEY("job","slot")
);
--> statement-breakpoint
CREATE TABLE "url_sets" (
	"project_no" bigint PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"hashes" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "usage" (
	"account_id" text NOT NULL,
	"day" integer NOT NULL,
	"requests" integer NOT NULL,
	"submissions" integer NOT NULL,
	CONSTRAINT "usage_account_id_day_pk" PRIMARY KEY("account_id","day")
);
--> statement-breakpoint
CREATE TABLE "visit_imports" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "visit_imports_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_id" text NOT NULL,
	"site_id" text NOT NULL,
	"digest" text NOT NULL,
	"at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "visits" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "visits_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_id" text NOT NULL,
	"url_hash" bigint NOT NULL,
	"url" text NOT NULL,
	"agent" text NOT NULL,
	"verified" text NOT NULL,
	"first_at" bigint NOT NULL,
	"last_at" bigint NOT NULL,
	"count" bigint NOT NULL,
	"status" smallint
);
--> statement-breakpoint
CREATE TABLE "watch_pages" (
	"watch_no" bigint NOT NULL,
	"part" integer NOT NULL,
	"account_id" text NOT NULL,
	"records" "bytea" NOT NULL,
	"urls" "bytea",
	CONSTRAINT "watch_pages_watch_no_part_pk" PRIMARY KEY("watch_no","part")
);
--> statement-breakpoint
CREATE TABLE "watch_runs" (
	"watch_no" bigint NOT NULL,
	"no" integer NOT NULL,
	"account_id" text NOT NULL,
	"at" bigint NOT NULL,
	"result" text NOT NULL,
	"new_pages" integer NOT NULL,
	"changed_pages" integer NOT NULL,
	"removed_pages" integer NOT NULL,
	"same_pages" integer NOT NULL,
	"waiting" integer NOT NULL,
	"submitted" integer NOT NULL,
	"notified" integer NOT NULL,
	"credits_spent" integer NOT NULL,
	"project_id" text,
	"reason" text,
	"examples" text,
	"notifications" text,
	"notify_at" bigint,
	CONSTRAINT "watch_runs_watch_no_no_pk" PRIMARY KEY("watch_no","no")
);
--> statement-breakpoint
CREATE TABLE "watches" (
	"no" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "watches_no_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"id" text NOT NULL,
	"account_id" text NOT NULL,
	"maker" text NOT NULL,
	"holder" text NOT NULL,
	"sitemap_url" text NOT NULL,
	"every" text NOT NULL,
	"new_pages" text NOT NULL,
	"changed_pages" text NOT NULL,
	"removed_pages" text NOT NULL,
	"include" text NOT NULL,
	"exclude" text NOT NULL,
	"mode" text NOT NULL,
	"most_per_run" integer NOT NULL,
	"credits_per_month" integer NOT NULL,
	"recheck" text NOT NULL,
	"stop_when_indexed" boolean NOT NULL,
	"first_run" text NOT NULL,
	"status" text NOT NULL,
	"reason" text,
	"held_digest" text,
	"revision" integer DEFAULT 0 NOT NULL,
	"runs" integer DEFAULT 0 NOT NULL,
	"next_run_at" bigint,
	"read_at" bigint,
	"lease_until" bigint,
	"month" integer DEFAULT 0 NOT NULL,
	"spent_this_month" integer DEFAULT 0 NOT NULL,
	"told_month" integer DEFAULT 0 NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"pages" integer DEFAULT 0 NOT NULL,
	"waiting" integer DEFAULT 0 NOT NULL,
	"parts" integer DEFAULT 1 NOT NULL,
	"documents" text,
	"estimate" integer,
	"recheck_pages" integer DEFAULT 0 NOT NULL,
	"recheck_at" bigint,
	"recheck_project" text,
	"sealed_hook_secret" text,
	"called_at" bigint,
	"created_at" bigint NOT NULL,
	"changed_at" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhook_deliveries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"webhook_id" text NOT NULL,
	"account_id" text NOT NULL,
	"host" text DEFAULT '' NOT NULL,
	"event_no" bigint NOT NULL,
	"status" smallint NOT NULL,
	"attempts" text NOT NULL,
	"tries" smallint NOT NULL,
	"next_at" bigint,
	"lease" text,
	"lease_until" bigint,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"maker" text NOT NULL,
	"url" text NOT NULL,
	"types" text,
	"description" text NOT NULL,
	"status" text NOT NULL,
	"sealed_secret" text NOT NULL,
	"sealed_previous_secret" text,
	"previous_until" bigint,
	"created_at" bigint NOT NULL,
	"changed_at" bigint DEFAULT 0 NOT NULL,
	"events_before" bigint DEFAULT 0 NOT NULL,
	"last_success_at" bigint,
	"failing_since" bigint,
	"last_failure_at" bigint,
	"last_failure_status" smallint,
	"last_failure_reason" text
);
--> statement-breakpoint
CREATE TABLE "windows" (
	"subject" text NOT NULL,
	"name" text NOT NULL,
	"window" bigint NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "windows_subject_name_pk" PRIMARY KEY("subject","name")
);
--> statement-breakpoint
CREATE INDEX "access_tokens_expiry" ON "access_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "account_deletions_due" ON "account_deletions" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "accounts_deleted" ON "accounts" USING btree ("deleted_at") WHERE "accounts"."deleted_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "address_undos_hash" ON "address_undos" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "address_undos_person" ON "address_undos" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "address_undos_email" ON "address_undos" USING btree ("email");--> statement-breakpoint
CREATE INDEX "address_undos_expiry" ON "address_undos" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_hash" ON "api_keys" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "api_keys_account" ON "api_keys" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "approvals_account" ON "approvals" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE INDEX "approvals_age" ON "approvals" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "bing_checks_project" ON "bing_checks" USING btree ("project_no");--> statement-breakpoint
CREATE INDEX "calls_step" ON "calls" USING btree ("step_id");--> statement-breakpoint
CREATE INDEX "card_disputes_payment" ON "card_disputes" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX "card_events_order" ON "card_events" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "card_payments_order" ON "card_payments" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "card_refunds_payment" ON "card_refunds" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX "codes_expiry" ON "codes" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "connection_attempts_account" ON "connection_attempts" USING btree ("account_id");--> statement-breakpoint
CREATE UNIQUE INDEX "connections_subject" ON "connections" USING btree ("account_id","kind","subject");--> statement-breakpoint
CREATE INDEX "connections_look" ON "connections" USING btree ("next_look_at");--> statement-breakpoint
CREATE INDEX "coverage_days_day" ON "coverage_days" USING btree ("day");--> statement-breakpoint
CREATE INDEX "deliveries_project" ON "deliveries" USING btree ("project_no");--> statement-breakpoint
CREATE INDEX "direct_payments_state" ON "direct_payments" USING btree ("state","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "direct_payments_transfer" ON "direct_payments" USING btree ("transfer");--> statement-breakpoint
CREATE UNIQUE INDEX "direct_payments_order" ON "direct_payments" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "ended_sessions_account" ON "ended_sessions" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "ended_sessions_age" ON "ended_sessions" USING btree ("ended_at");--> statement-breakpoint
CREATE INDEX "event_subscriptions_account" ON "event_subscriptions" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "event_subscriptions_end" ON "event_subscriptions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "events_age" ON "events" USING btree ("at");--> statement-breakpoint
CREATE INDEX "events_queued" ON "events" USING btree ("queued_at") WHERE "events"."queued_at" is not null;--> statement-breakpoint
CREATE INDEX "experiments_account" ON "experiments" USING btree ("account_id");--> statement-breakpoint
CREATE UNIQUE INDEX "exports_id" ON "exports" USING btree ("id");--> statement-breakpoint
CREATE INDEX "exports_open" ON "exports" USING btree ("completed_at");--> statement-breakpoint
CREATE UNIQUE INDEX "factor_removals_cancel" ON "factor_removals" USING btree ("cancel_hash");--> statement-breakpoint
CREATE INDEX "factor_removals_due" ON "factor_removals" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "grants_account" ON "grants" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE INDEX "grants_client" ON "grants" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "idempotency_age" ON "idempotency" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "identities_person" ON "identities" USING btree ("person_id","issuer");--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_email" ON "invitations" USING btree ("account_id","email");--> statement-breakpoint
CREATE INDEX "invitations_address" ON "invitations" USING btree ("email");--> statement-breakpoint
CREATE INDEX "invitations_expiry" ON "invitations" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "issuer_sign_ins_expiry" ON "issuer_sign_ins" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "key_usage_account" ON "key_usage" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "key_usage_day" ON "key_usage" USING btree ("day");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_source" ON "ledger" USING btree ("account_id","kind","source");--> statement-breakpoint
CREATE INDEX "ledger_credential" ON "ledger" USING btree ("account_id","credential","no");--> statement-breakpoint
CREATE INDEX "mail_links_email" ON "mail_links" USING btree ("email");--> statement-breakpoint
CREATE INDEX "mail_links_person" ON "mail_links" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "mail_links_expiry" ON "mail_links" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "mail_queue_due" ON "mail_queue" USING btree ("next_at");--> statement-breakpoint
CREATE INDEX "mail_queue_person" ON "mail_queue" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "members_person" ON "members" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "named_pages_watch" ON "named_pages" USING btree ("watch_no");--> statement-breakpoint
CREATE INDEX "named_pages_at" ON "named_pages" USING btree ("at");--> statement-breakpoint
CREATE INDEX "named_pages_account" ON "named_pages" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "notice_digests_due" ON "notice_digests" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "observations_project" ON "observations" USING btree ("project_no");--> statement-breakpoint
CREATE UNIQUE INDEX "orders_receipt" ON "orders" USING btree ("account_id","receipt_no");--> statement-breakpoint
CREATE INDEX "orders_account" ON "orders" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE INDEX "orders_paid" ON "orders" USING btree ("account_id","status");--> statement-breakpoint
CREATE INDEX "orders_open" ON "orders" USING btree ("status","expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "orders_reference" ON "orders" USING btree ("reference");--> statement-breakpoint
CREATE INDEX "page_facts_project" ON "page_facts" USING btree ("project_no");--> statement-breakpoint
CREATE INDEX "passkey_challenges_expiry" ON "passkey_challenges" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "passkeys_credential" ON "passkeys" USING btree ("credential_id");--> statement-breakpoint
CREATE INDEX "passkeys_person" ON "passkeys" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "pending_sign_ins_person" ON "pending_sign_ins" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "pending_sign_ins_expiry" ON "pending_sign_ins" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "people_email" ON "people" USING btree ("email");--> statement-breakpoint
CREATE INDEX "project_tags_project" ON "project_tags" USING btree ("project_no");--> statement-breakpoint
CREATE UNIQUE INDEX "projects_id" ON "projects" USING btree ("id");--> statement-breakpoint
CREATE INDEX "projects_account" ON "projects" USING btree ("account_id","no");--> statement-breakpoint
CREATE INDEX "projects_credential" ON "projects" USING btree ("account_id","credential","no");--> statement-breakpoint
CREATE INDEX "projects_uncovered" ON "projects" USING btree ("created_at") WHERE "projects"."covered" < "projects"."total";--> statement-breakpoint
CREATE UNIQUE INDEX "push_configs_config" ON "push_configs" USING btree ("task_id","maker","config_id");--> statement-breakpoint
CREATE INDEX "push_configs_account" ON "push_configs" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "refresh_tokens_expiry" ON "refresh_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "refresh_tokens_sealed" ON "refresh_tokens" USING btree ("used_at") WHERE "refresh_tokens"."sealed_successor" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "registrations_claim" ON "registrations" USING btree ("claim_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "registrations_attempt" ON "registrations" USING btree ("attempt_hash");--> statement-breakpoint
CREATE INDEX "registrations_expiry" ON "registrations" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "resource_subscriptions_account" ON "resource_subscriptions" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "resource_subscriptions_age" ON "resource_subscriptions" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "security_events_account" ON "security_events" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "security_events_person" ON "security_events" USING btree ("person_id","id");--> statement-breakpoint
CREATE INDEX "security_events_age" ON "security_events" USING btree ("at");--> statement-breakpoint
CREATE INDEX "security_events_target" ON "security_events" USING btree ("target") WHERE "security_events"."target" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_hash" ON "sessions" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "sessions_person" ON "sessions" USING btree ("person_id");--> statement-breakpoint
CREATE UNIQUE INDEX "shares_hash" ON "shares" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "shares_account" ON "shares" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE INDEX "shares_end" ON "shares" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "sites_account_host" ON "sites" USING btree ("account_id","host");--> statement-breakpoint
CREATE INDEX "steps_due" ON "steps" USING btree ("priority","due_at");--> statement-breakpoint
CREATE INDEX "steps_project_due" ON "steps" USING btree ("project_no","lane","due_at");--> statement-breakpoint
CREATE INDEX "steps_leased" ON "steps" USING btree ("lease_until") WHERE "steps"."lease_until" is not null;--> statement-breakpoint
CREATE INDEX "task_messages_task" ON "task_messages" USING btree ("task_id");--> statement-breakpoint
CREATE INDEX "tasks_account" ON "tasks" USING btree ("account_id","state_at","id");--> statement-breakpoint
CREATE INDEX "tasks_open" ON "tasks" USING btree ("account_id","state") WHERE "tasks"."expires_at" is null;--> statement-breakpoint
CREATE INDEX "tasks_expires" ON "tasks" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "tasks_approval" ON "tasks" USING btree ("approval_id") WHERE "tasks"."approval_id" is not null;--> statement-breakpoint
CREATE INDEX "tasks_resume" ON "tasks" USING btree ("resume_at") WHERE "tasks"."resume_at" is not null;--> statement-breakpoint
CREATE INDEX "url_sets_account" ON "url_sets" USING btree ("account_id");--> statement-breakpoint
CREATE UNIQUE INDEX "visit_imports_digest" ON "visit_imports" USING btree ("account_id","site_id","digest");--> statement-breakpoint
CREATE INDEX "visit_imports_at" ON "visit_imports" USING btree ("at");--> statement-breakpoint
CREATE UNIQUE INDEX "visits_page" ON "visits" USING btree ("account_id","url_hash","agent","verified");--> statement-breakpoint
CREATE INDEX "visits_last" ON "visits" USING btree ("last_at");--> statement-breakpoint
CREATE INDEX "watch_pages_account" ON "watch_pages" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "watch_runs_account" ON "watch_runs" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "watch_runs_notify" ON "watch_runs" USING btree ("notify_at") WHERE "watch_runs"."notify_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "watches_id" ON "watches" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "watches_sitemap" ON "watches" USING btree ("account_id","sitemap_url");--> statement-breakpoint
CREATE INDEX "watches_due" ON "watches" USING btree ("next_run_at") WHERE "watches"."next_run_at" is not null;--> statement-breakpoint
CREATE INDEX "watches_recheck_due" ON "watches" USING btree ("recheck_at") WHERE "watches"."recheck_at" is not null;--> statement-breakpoint
CREATE INDEX "watches_rechecked" ON "watches" USING btree ("recheck_project") WHERE "watches"."recheck_project" is not null;--> statement-breakpoint
CREATE INDEX "watches_called" ON "watches" USING btree ("called_at") WHERE "watches"."called_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_deliveries_event" ON "webhook_deliveries" USING btree ("webhook_id","event_no");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("next_at") WHERE "webhook_deliveries"."next_at" is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_account" ON "webhook_deliveries" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_age" ON "webhook_deliveries" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "webhooks_maker_url" ON "webhooks" USING btree ("account_id","maker","url");
--> statement-breakpoint
-- What follows is written by hand.
-- The ledger is append-only and a chain: each entry is the account's next, and says the account's balance.
CREATE FUNCTION ledger_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the ledger is append-only';
END $$;
--> statement-breakpoint
CREATE TRIGGER ledger_no_change BEFORE UPDATE OR DELETE ON ledger
FOR EACH ROW EXECUTE FUNCTION ledger_is_append_only();
--> statement-breakpoint
CREATE FUNCTION ledger_is_a_chain() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT 1 FROM accounts WHERE id = NEW.account_id AND credits = NEW.balance_after AND entries = NEW.no
  ) OR NEW.balance_after <> NEW.credits + coalesce(
    (SELECT balance_after FROM ledger WHERE account_id = NEW.account_id AND no = NEW.no - 1), 0)
  THEN
    RAISE EXCEPTION 'the ledger entry breaks the chain';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER ledger_chain BEFORE INSERT ON ledger
FOR EACH ROW EXECUTE FUNCTION ledger_is_a_chain();
--> statement-breakpoint
-- Rows that are changed where they stand, and queues: room beside each row, and dead ones cleared away early.
ALTER TABLE accounts SET (fillfactor = 70);
--> statement-breakpoint
ALTER TABLE projects SET (fillfactor = 80);
--> statement-breakpoint
ALTER TABLE links SET (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02);
--> statement-breakpoint
ALTER TABLE steps SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);
