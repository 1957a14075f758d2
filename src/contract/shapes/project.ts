import { z } from "zod";
import type { Submitted } from "../../domain/projects/experiments/create.ts";
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

/** The answer of everything that makes a project. */
export const Receipt = z.object({
  project: Project,
  urls_accepted: count,
  invalid: count,
  duplicates: count,
  invalid_examples: z.array(z.string()).describe("Up to 10"),
  credits_spent: count,
  balance: z.number().int(),
});

/** The answer of a submission; with a hold-out, how many pages are sent and held out, and what looking the held ones up costs. */
export const SubmissionReceipt = Receipt.extend({
  experiment: z.object({ id: z.string(), sent: count, held: count, credits: count }).optional(),
});

export function presentReceipt(
  created: Submitted,
  list: UrlList<{ readonly length: number }>,
  config: Config,
): z.output<typeof SubmissionReceipt> {
  return {
    project: presentProject(created.project, config),
    urls_accepted: list.accepted.length,
    invalid: list.invalid,
    duplicates: list.duplicates,
    invalid_examples: list.invalidExamples,
    ...spentOn(created),
    balance: created.balance,
  };
}

/** What a submission has spent, and with a hold-out the experiment. */
export function spentOn({ project, experiment }: Pick<Submitted, "project" | "experiment">) {
  if (!experiment) return { credits_spent: project.creditsSpent };
  const { id, control } = experiment;
  const sizes = { sent: project.total, held: control.total, credits: control.creditsSpent };
  return { credits_spent: project.creditsSpent + control.creditsSpent, experiment: { id, ...sizes } };
}
