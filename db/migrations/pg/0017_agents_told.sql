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
CREATE TABLE "resource_subscriptions" (
	"session" text NOT NULL,
	"account_id" text NOT NULL,
	"maker" text NOT NULL,
	"project_no" bigint NOT NULL,
	"is_links" boolean NOT NULL,
	"version" text NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "resource_subscriptions_session_maker_project_no_is_links_pk" PRIMARY KEY("session","maker","project_no","is_links")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "push_configs_config" ON "push_configs" USING btree ("task_id","maker","config_id");--> statement-breakpoint
CREATE INDEX "push_configs_account" ON "push_configs" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "resource_subscriptions_account" ON "resource_subscriptions" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "resource_subscriptions_age" ON "resource_subscriptions" USING btree ("created_at");