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
CREATE INDEX "notice_digests_due" ON "notice_digests" USING btree ("due_at");