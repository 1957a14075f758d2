import { z } from "zod";
import type { Spending } from "../../domain/spending/read.ts";
import type { SpendReport as Facts } from "../../domain/spending/report.ts";
import { DAY, iso } from "../../platform/clock.ts";
import { csvOf } from "./whole-list.ts";

const credits = z.number().int();
const spent = { spent: credits, returned: credits };
const limit = z.object({
  limit: credits.nullable(),
  spent: credits,
  remaining: credits.nullable(),
  resets_at: z.string(),
});

export const SpendReport = z
  .object({
    object: z.literal("spend_report"),
    from: z.string().describe("UTC day"),
    to: z.string(),
    ...spent,
    budget: z
      .object({ account_day: limit, account_month: limit })
      .describe("Of all keys, apps and agents together; limit null: none"),
    by_credential: z.array(
      z.object({
        credential_id: z.string().nullable(),
        kind: z.enum(["key", "app", "agent", "person", "operator", "unknown"]),
        name: z.string(),
        ...spent,
      }),
    ),
    by_person: z.array(
      z.object({
        person_id: z.string().nullable(),
        role: z.string().nullable(),
        email: z.string().nullable(),
        ...spent,
      }),
    ),
    by_day: z.array(z.object({ day: z.string(), ...spent })),
    by_project: z.array(z.object({ project_id: z.string(), name: z.string(), ...spent })),
  })
  .meta({ id: "SpendingReport" });

type Report = z.output<typeof SpendReport>;

/** @param withAddresses whether the reader may see the addresses of others */
export function presentSpendReport(report: Facts, account: Spending, withAddresses: boolean): Report {
  const { limits, spent, remaining, resetsAt } = account;
  const { from, byDay, bySpender, byPerson, byProject } = report;
  return {
    object: "spend_report",
    from: dayOf(from),
    to: dayOf(from + (byDay.length - 1) * DAY),
    spent: report.spent,
    returned: report.returned,
    budget: {
      account_day: { limit: limits.perDay, spent: spent.today, remaining: remaining.day, resets_at: iso(resetsAt.day) },
      account_month: {
        limit: limits.perMonth,
        spent: spent.thisMonth,
        remaining: remaining.month,
        resets_at: iso(resetsAt.month),
      },
    },
    by_credential: bySpender.map(({ credential, ...row }) => ({ credential_id: credential, ...row })),
    by_person: byPerson.map(({ personId, role, email, ...row }) => {
      return { person_id: personId, role, email: withAddresses ? email : null, ...row };
    }),
    by_day: byDay.map(({ at, ...row }) => ({ day: dayOf(at), ...row })),
    by_project: byProject.map(({ projectId, ...row }) => ({ project_id: projectId, ...row })),
  };
}

/** A row for each credential, person, day and project; `by` says which. */
export function csvOfSpendReport(report: Report): AsyncIterable<string> {
  const rows = [
    ...report.by_credential.map((row) => [
      "credential",
      row.credential_id,
      row.kind,
      row.name,
      row.spent,
      row.returned,
    ]),
    ...report.by_person.map((row) => ["person", row.person_id, row.role, row.email, row.spent, row.returned]),
    ...report.by_day.map((row) => ["day", row.day, null, row.day, row.spent, row.returned]),
    ...report.by_project.map((row) => ["project", row.project_id, null, row.name, row.spent, row.returned]),
  ];
  return csvOf(["by", "id", "kind", "name", "spent", "returned"], inOne(rows), (row) => row);
}

async function* inOne<Row>(rows: readonly Row[]): AsyncIterable<readonly Row[]> {
  yield rows;
}

function dayOf(at: number): string {
  return iso(at).slice(0, 10);
}
