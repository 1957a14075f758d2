CREATE TABLE "calls" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "calls_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"step_id" bigint NOT NULL,
	"provider" text NOT NULL,
	"reference" text NOT NULL,
	"first" smallint NOT NULL,
	"members" "bytea" NOT NULL,
	"begun_at" bigint NOT NULL,
	"outcomes" text
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
CREATE TABLE "sites" (
	"id" text PRIMARY KEY NOT NULL,
	"bucket" smallint NOT NULL,
	"account_id" text NOT NULL,
	"host" text NOT NULL,
	"status" text NOT NULL,
	"indexnow_key" text NOT NULL,
	"key_url" text NOT NULL,
	"connections" text NOT NULL,
	"created_at" bigint NOT NULL,
	"verified_at" bigint
);
--> statement-breakpoint
CREATE TABLE "windows" (
	"account_id" text NOT NULL,
	"name" text NOT NULL,
	"window" bigint NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "windows_account_id_name_pk" PRIMARY KEY("account_id","name")
);
--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "sitemap_url" text;--> statement-breakpoint
ALTER TABLE "providers" ADD COLUMN "held_until" bigint;--> statement-breakpoint
CREATE INDEX "calls_step" ON "calls" USING btree ("step_id");--> statement-breakpoint
CREATE UNIQUE INDEX "sites_account_host" ON "sites" USING btree ("account_id","host");