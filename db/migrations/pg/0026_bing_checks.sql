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
CREATE INDEX "bing_checks_project" ON "bing_checks" USING btree ("project_no");