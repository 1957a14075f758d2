import { z } from "zod";
import { connectionsOf } from "../../indexing/sites/connect.ts";
import { nextStep, type SiteFindings } from "../../indexing/sites/next-step.ts";
import { keyFileUrl } from "../../indexing/sites/site-keys.ts";
import { SITE_STATUSES, type SiteRow } from "../../indexing/sites/sites.ts";
import { iso } from "../../platform/clock.ts";
import type { Config } from "../../platform/config/config.ts";

/** A host that an account has registered as its own. Open: fields may be added. */
export const Site = z
  .object({
    object: z.literal("site"),
    id: z.string(),
    host: z.string(),
    status: z.enum(SITE_STATUSES),
    indexnow_key: z.string().describe("Content of the key file"),
    key_url: z.string().describe("Where it must be, or was found"),
    verified_by: z.string().nullable(),
    connections: z.array(z.string()),
    push_url: z.string().nullable(),
    next_step: z.string(),
    created_at: z.string(),
    verified_at: z.string().nullable(),
  })
  .meta({ id: "Site" });

export function presentSite(row: SiteRow, config: Config, findings: SiteFindings = {}): z.output<typeof Site> {
  return {
    object: "site",
    id: row.id,
    host: row.host,
    status: row.status as z.output<typeof Site>["status"],
    indexnow_key: row.indexnowKey,
    key_url: keyFileUrl(row),
    verified_by: row.verifiedBy,
    connections: connectionsOf(row, config),
    push_url: row.pushSecretHash === null ? null : `${config.siteUrl}/push/${row.id}`,
    next_step: nextStep(row, config, findings),
    created_at: iso(row.createdAt),
    verified_at: iso(row.verifiedAt),
  };
}
