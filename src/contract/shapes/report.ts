import { z } from "zod";
import { adviceFor } from "../../domain/projects/advice.ts";
import { FINDINGS } from "../../domain/projects/findings.ts";
import type { ProjectRow } from "../../domain/projects/read.ts";
import type { ReasonGroup, Report as ReportData, UrlGroup } from "../../domain/projects/report.ts";
import { linkId } from "../../platform/ids.ts";
import { ADVICE, presentAdvice } from "./advice.ts";
import { csvOf } from "./whole-list.ts";

const count = z.number().int();

const Group = z.object({
  status: z.enum(FINDINGS).describe("gone: found before, not now; unknown: no reliable answer"),
  reason: z.string(),
  words: z.string().describe("Google's own where by is google"),
  by: z.enum(["google", "beckon"]),
  count,
  links: z.array(z.string()).describe("Ids of the first 20"),
  ...ADVICE,
});

const percent = z.number().min(0).max(100).nullable();
const Rate = { rate: percent, low: percent, high: percent, differs: z.enum(["better", "worse"]).nullable() };

const Counts = Object.fromEntries(FINDINGS.map((finding) => [finding, count])) as Record<
  (typeof FINDINGS)[number],
  typeof count
>;

const Fetched = z.object({ fetched: count, not_fetched: count, unknown: count });

/** Why the URLs of a project are as they are. Open: fields may be added. */
export const Report = z.object({
  project_id: z.string(),
  groups: z.array(Group),
  bing: z
    .object({ indexed: count, not_indexed: count, unknown: count })
    .nullable()
    .describe("URLs by Bing's last word; null where it was not asked"),
  found_by_day: z.array(z.object({ day: count, count })).describe("Days from sending to the check that first found it"),
  median_days: z.number().nullable(),
  crawled: z
    .object({ google: Fetched, bing: Fetched })
    .describe("Since sending, by the engines' own tools and by verified visits"),
  by_host: z.array(z.object({ host: z.string(), total: count, ...Counts, ...Rate })),
  by_folder: z.array(z.object({ folder: z.string(), total: count, ...Counts, ...Rate })),
});

/** @param most rows of each list */
export function presentReport(
  project: ProjectRow,
  report: ReportData,
  { most, siteUrl }: { readonly most: number; readonly siteUrl: string },
): z.output<typeof Report> {
  return {
    project_id: project.id,
    bing: report.bing,
    groups: report.groups.slice(0, most).map((group) => presentGroup(project, group, siteUrl)),
    found_by_day: report.found.byDay.map((one) => ({ ...one })),
    median_days: report.found.median === null ? null : Math.round(10 * report.found.median) / 10,
    crawled: report.crawled,
    by_host: report.byHost.slice(0, most).map((group) => ({ host: group.name, ...countsOf(group) })),
    by_folder: report.byFolder.slice(0, most).map((group) => ({ folder: group.name, ...countsOf(group) })),
  };
}

function presentGroup(project: ProjectRow, group: ReasonGroup, siteUrl: string): z.output<typeof Group> {
  const { finding, reason, words, isInGooglesWords, count, examples } = group;
  const links = examples.map(({ position }) => linkId(project.id, position));
  const by = isInGooglesWords ? "google" : "beckon";
  return { status: finding, reason, words, by, count, links, ...presentAdvice(adviceFor(reason), siteUrl) };
}

function countsOf({ total, counts, rate }: UrlGroup) {
  return { total, ...counts, ...rate };
}

/** What a row of the CSV may say. */
type Row = Readonly<Record<string, string | number | null>>;

const COLUMNS = [
  ...["list", "name", "count", "status", "words", "by", ...FINDINGS, "links"],
  ...["rate", "low", "high", "differs", ...Object.keys(ADVICE)],
];

/** The report as CSV: a row for each group of each list; `list` says of which. */
export function csvOfReport(report: z.output<typeof Report>): AsyncIterable<string> {
  const { groups, bing, crawled, found_by_day: found, by_host: hosts, by_folder: folders } = report;
  const counted = (list: string, counts: object, prefix = ""): Row[] =>
    Object.entries(counts).map(([name, count]) => ({ list, name: `${prefix}${name}`, count }));
  const rows: Row[] = [
    ...groups.map(({ reason, links, ...group }) => ({
      ...group,
      list: "reason",
      name: reason,
      links: links.join(" "),
    })),
    ...counted("bing", bing ?? {}),
    ...counted("crawled", crawled.google, "google "),
    ...counted("crawled", crawled.bing, "bing "),
    ...found.map(({ day, count }) => ({ list: "found_by_day", name: String(day), count })),
    ...hosts.map(({ host, total, ...row }) => ({ ...row, list: "host", name: host, count: total })),
    ...folders.map(({ folder, total, ...row }) => ({ ...row, list: "folder", name: folder, count: total })),
  ];
  return csvOf(COLUMNS, once(rows), (row) => COLUMNS.map((column) => row[column] ?? null));
}

async function* once<T>(batch: T): AsyncIterable<T> {
  yield batch;
}
