CREATE TABLE "ticks" (
	"job" text NOT NULL,
	"slot" bigint NOT NULL,
	"node" text NOT NULL,
	"at" bigint NOT NULL,
	CONSTRAINT "ticks_job_slot_pk" PRIMARY KEY("job","slot")
);
--> statement-breakpoint
ALTER TABLE "calls" ADD COLUMN "bucket" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "bucket" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "observations" ADD COLUMN "bucket" smallint DEFAULT 0 NOT NULL;
--> statement-breakpoint
UPDATE deliveries SET bucket = (SELECT bucket FROM projects WHERE no = project_no);
--> statement-breakpoint
UPDATE observations SET bucket = (SELECT bucket FROM projects WHERE no = project_no);
--> statement-breakpoint
UPDATE calls SET bucket = coalesce((SELECT bucket FROM steps WHERE id = step_id), 0);
--> statement-breakpoint
-- Rows that are changed where they stand, and queues: room beside each row, and dead ones cleared away early.
ALTER TABLE accounts SET (fillfactor = 70);
--> statement-breakpoint
ALTER TABLE projects SET (fillfactor = 80);
--> statement-breakpoint
ALTER TABLE links SET (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02);
--> statement-breakpoint
ALTER TABLE steps SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);
