import { and, eq, gte, isNotNull, lte } from "drizzle-orm";
import type { Tx } from "../../../db/engine.ts";
import type { Times } from "../../platform/clock.ts";
import { packPositions, unpackPositions } from "../../platform/link-set.ts";
import { packTimes, timeAt } from "../../platform/packed-times.ts";
import { recordEvents } from "../events/record.ts";
import type { Access } from "./access.ts";
import { type Crawl, type CrawlSource, ENGINE_OF, isCrawledSince } from "./facts.ts";
import { crawledEvent } from "./project-events.ts";
import type { ProjectRow } from "./read.ts";
import type { FactSource } from "./states.ts";

/** What one source says of one link. `shared` is what links have in common: those with the same are one row. */
export interface PageFact {
  readonly source: FactSource;
  readonly shared: Readonly<Record<string, unknown>>;
  readonly time: number | null;
  readonly own: object | null;
}

export function crawlFact(source: CrawlSource, { crawledAt, shared, own }: Crawl): PageFact {
  return { source, shared, time: crawledAt, own };
}

/** @param changedAt when the page says that it was last changed */
export function accessFact(access: Access, changedAt: number | null = null): PageFact {
  return { source: "preflight", shared: { access }, time: changedAt, own: null };
}

interface FactGroup {
  readonly source: FactSource;
  readonly shared: string;
  readonly links: { readonly position: number; readonly time: number | null; readonly own: object | null }[];
}

/** A link that was sent, and crawled since. */
interface Crawled {
  readonly position: number;
  readonly sentAt: number;
  readonly crawledAt: number;
}

/** The facts of a step, grouped by what links have in common. */
export class FactGroups {
  readonly #groups = new Map<string, FactGroup>();
  readonly crawled = new Map<CrawlSource, Crawled[]>();

  add(position: number, { source, shared, time, own }: PageFact, sentAt: number | null): void {
    const text = JSON.stringify(shared);
    const key = `${source} ${text}`;
    const group = this.#groups.get(key) ?? { source, shared: text, links: [] };
    if (group.links.length === 0) this.#groups.set(key, group);
    group.links.push({ position, time, own });
    if (source === "preflight" || time === null || sentAt === null || !isCrawledSince(time, sentAt)) return;
    const crawled = this.crawled.get(source) ?? [];
    if (crawled.length === 0) this.crawled.set(source, crawled);
    crawled.push({ position, sentAt, crawledAt: time });
  }

  get all(): readonly FactGroup[] {
    return [...this.#groups.values()];
  }
}

/** Stores the facts of a step, and tells which links an engine has crawled since they were sent. */
export async function storeFacts(tx: Tx, project: ProjectRow, facts: FactGroups, times: Times): Promise<void> {
  const { pageFacts } = tx.t;
  for (const [source, crawled] of facts.crawled) {
    const fresh = await withoutKnown(tx, project, source, crawled);
    const event = fresh.length === 0 ? null : crawledEvent(project, ENGINE_OF[source], fresh);
    if (event) await recordEvents(tx, project.accountId, [event], times.now);
  }
  const rows = facts.all.map(({ source, shared, links }) => {
    const sorted = links.toSorted((a, b) => a.position - b.position);
    const { first, last, members } = packPositions(sorted.map(({ position }) => position));
    const own = sorted.some((link) => link.own !== null) ? JSON.stringify(sorted.map((link) => link.own)) : null;
    const fact = { source, shared, times: packTimes(sorted.map(({ time }) => time)), own };
    return { bucket: project.bucket, projectNo: project.no, at: times.service, ...fact, first, last, members };
  });
  await tx.q.insert(pageFacts).values(rows);
}

/** Those of the links of which no earlier check has known such a crawl. */
async function withoutKnown(
  tx: Tx,
  { no }: ProjectRow,
  source: CrawlSource,
  crawled: readonly Crawled[],
): Promise<Crawled[]> {
  const { pageFacts } = tx.t;
  const { times, first, members } = pageFacts;
  const span = packPositions(crawled.map(({ position }) => position));
  const rows = await tx.q
    .select({ times, first, members })
    .from(pageFacts)
    .where(
      and(
        eq(pageFacts.projectNo, no),
        eq(pageFacts.source, source),
        isNotNull(times),
        lte(first, span.last),
        gte(pageFacts.last, span.first),
      ),
    );
  const newest = new Map<number, number>();
  for (const row of rows)
    unpackPositions(row).forEach((position, index) => {
      const time = timeAt(row.times, index);
      if (time !== null && time > (newest.get(position) ?? 0)) newest.set(position, time);
    });
  return crawled.filter(({ position, sentAt }) => !isCrawledSince(newest.get(position) ?? 0, sentAt));
}
