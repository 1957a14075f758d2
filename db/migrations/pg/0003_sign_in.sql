CREATE TABLE "access_tokens" (
	"hash" text PRIMARY KEY NOT NULL,
	"grant_id" text NOT NULL,
	"scopes" text NOT NULL,
	"audience" text NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "clients" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"redirect_uris" text NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "codes" (
	"hash" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
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
CREATE TABLE "grants" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"kind" text NOT NULL,
	"client_id" text,
	"name" text NOT NULL,
	"scopes" text NOT NULL,
	"assertion_hash" text,
	"created_at" bigint NOT NULL,
	"last_used_at" bigint,
	"revoked_at" bigint,
	"ended_by" text
);
--> statement-breakpoint
CREATE TABLE "mail_links" (
	"hash" text PRIMARY KEY NOT NULL,
	"purpose" text NOT NULL,
	"email" text NOT NULL,
	"password_hash" text,
	"visitor_hash" text NOT NULL,
	"return_to" text,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"used_at" bigint,
	"wrong_passwords" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "refresh_tokens" (
	"hash" text PRIMARY KEY NOT NULL,
	"grant_id" text NOT NULL,
	"audience" text NOT NULL,
	"expires_at" bigint NOT NULL,
	"used_at" bigint
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
CREATE TABLE "security_events" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "security_events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"account_id" text NOT NULL,
	"at" bigint NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"ip" text
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"hash" text NOT NULL,
	"account_id" text NOT NULL,
	"authenticated_at" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	"last_seen_at" bigint NOT NULL,
	"browser" text NOT NULL,
	"ip" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "signing_keys" (
	"kid" text PRIMARY KEY NOT NULL,
	"jwk" text NOT NULL,
	"created_at" bigint NOT NULL,
	"retired_at" bigint
);
--> statement-breakpoint
ALTER TABLE "windows" RENAME COLUMN "account_id" TO "subject";--> statement-breakpoint
ALTER TABLE "windows" DROP CONSTRAINT "windows_account_id_name_pk";--> statement-breakpoint
ALTER TABLE "windows" ADD CONSTRAINT "windows_subject_name_pk" PRIMARY KEY("subject","name");--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "password_hash" text;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "verified_at" bigint;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "ending" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "last_used_at" bigint;--> statement-breakpoint
CREATE INDEX "access_tokens_expiry" ON "access_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "codes_expiry" ON "codes" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "grants_account" ON "grants" USING btree ("account_id","created_at");--> statement-breakpoint
CREATE INDEX "grants_client" ON "grants" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "mail_links_email" ON "mail_links" USING btree ("email");--> statement-breakpoint
CREATE INDEX "mail_links_expiry" ON "mail_links" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "refresh_tokens_expiry" ON "refresh_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "registrations_claim" ON "registrations" USING btree ("claim_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "registrations_attempt" ON "registrations" USING btree ("attempt_hash");--> statement-breakpoint
CREATE INDEX "registrations_expiry" ON "registrations" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "security_events_account" ON "security_events" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "security_events_age" ON "security_events" USING btree ("at");--> statement-breakpoint
CREATE UNIQUE INDEX "sessions_hash" ON "sessions" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "sessions_account" ON "sessions" USING btree ("account_id");