import { z } from "zod";
import { SHARED_PATH, type ShareRow } from "../../domain/shares/shares.ts";
import { iso } from "../../platform/clock.ts";
import type { Config } from "../../platform/config/config.ts";

/** A link by which anybody who has it reads results. Open: fields may be added. */
export const Share = z
  .object({
    object: z.literal("share"),
    id: z.string(),
    url: z.string().nullable().describe("Only in the answer that makes it"),
    project_id: z.string().nullable(),
    host: z.string().nullable(),
    title: z.string(),
    from: z.string().describe("Who shows it; may be empty"),
    expires_at: z.string(),
    created_at: z.string(),
    last_seen_at: z.string().nullable().describe("When it was last opened, to the hour"),
  })
  .meta({ id: "Share" });

export function presentShare(row: ShareRow, url: string | null = null): z.output<typeof Share> {
  return {
    object: "share",
    id: row.id,
    url,
    project_id: row.projectId,
    host: row.host,
    title: row.title,
    from: row.fromName,
    expires_at: iso(row.expiresAt),
    created_at: iso(row.createdAt),
    last_seen_at: iso(row.lastSeenAt),
  };
}

/** The address at which a share is read. */
export function shareUrl({ siteUrl }: Config, secret: string): string {
  return `${siteUrl}${SHARED_PATH}/${secret}`;
}
