import { z } from "zod";
import type { ProjectRow } from "../../domain/projects/read.ts";
import { iso } from "../../platform/clock.ts";
import type { Config } from "../../platform/config/config.ts";
import type { UrlList } from "../../platform/urls/urls.ts";

const count = z.number().int().min(0);

/** Closed by the specification: no field may be added. */
export const Project = z
  .strictObject({
    object: z.literal("project"),
    id: z.string(),
    kind: z.enum(["index", "check"]),
    name: z.string(),
    mode: z.enum(["standard", "instant"]).nullable(),
    engines: z.strictObject({ google: z.boolean(), bing: z.boolean(), yandex: z.boolean() }),
    drip_days: count,
    status: z.enum(["active", "completed"]),
    counts: z.strictObject({
      total: count,
      waiting: count,
      checking: count,
      indexed: count,
      not_indexed: count,
      failed: count,
    }),
    index_rate: z.number().min(0).max(100).nullable().describe("Percentage of decided URLs that are indexed"),
    credits_spent: count,
    credits_returned: count,
    created_at: z.string(),
    completed_at: z.string().nullable(),
    dashboard_url: z.string(),
  })
  .meta({ id: "Project" });

export function presentProject(row: ProjectRow, config: Config): z.output<typeof Project> {
  const decided = row.indexed + row.notIndexed;
  return {
    object: "project",
    id: row.id,
    kind: row.kind as "index" | "check",
    name: row.name,
    mode: row.mode as "standard" | "instant" | null,
    engines: { google: true, bing: row.bing, yandex: row.yandex },
    drip_days: row.dripDays,
    status: row.status as "active" | "completed",
    counts: {
      total: row.total,
      waiting: row.waiting,
      checking: row.checking,
      indexed: row.indexed,
      not_indexed: row.notIndexed,
      failed: row.failed,
    },
    index_rate: decided === 0 ? null : Math.round((1000 * row.indexed) / decided) / 10,
    credits_spent: row.creditsSpent,
    credits_returned: row.creditsReturned,
    created_at: iso(row.createdAt),
    completed_at: iso(row.completedAt),
    dashboard_url: `${config.siteUrl}/dashboard/projects/${row.id}`,
  };
}

/** The answer of every submission. */
export const Receipt = z.object({
  project: Project,
  urls_accepted: count,
  invalid: count,
  duplicates: count,
  invalid_examples: z.array(z.string()).describe("Up to 10"),
  credits_spent: count,
  balance: z.number().int(),
});

export function presentReceipt(
  created: { project: ProjectRow; balance: number },
  list: UrlList<{ readonly length: number }>,
  config: Config,
): z.output<typeof Receipt> {
  return {
    project: presentProject(created.project, config),
    urls_accepted: list.accepted.length,
    invalid: list.invalid,
    duplicates: list.duplicates,
    invalid_examples: list.invalidExamples,
    credits_spent: created.project.creditsSpent,
    balance: created.balance,
  };
}
