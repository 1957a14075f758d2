ALTER TABLE "projects" ADD COLUMN "skip_indexed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "looked_up" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "already_indexed" integer DEFAULT 0 NOT NULL;