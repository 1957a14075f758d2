import { and, eq, gte, lt } from "drizzle-orm";
import type { ProjectRow } from "../../src/domain/projects/read.ts";
import { fateOf, isIndexed } from "../../src/indexing/engines/sandbox/fate.ts";
import { DAY } from "../../src/platform/clock.ts";
import { linkKey, positionOf } from "../../src/platform/ids.ts";
import { unpackPositions } from "../../src/platform/link-set.ts";
import type { World } from "./world.ts";

/** A page that Beckon never sent: it is in the simulated Google or not, whatever the day. */
const LONG = 400 * DAY;

/**
 * Proves what completed projects with skip_indexed have returned, by sums of their own: from the evidence of each link and the
 * simulated Google, and from nothing that the service counts.
 * @throws Error where a page that Google has was sent, another one was not, or the credits differ
 */
export async function proveSkipped(world: World): Promise<void> {
  const { q, t } = world.books;
  for (const project of await q.select().from(t.projects).where(eq(t.projects.skipIndexed, true))) {
    const answered = await answeredIn(world, project);
    const inProject = and(gte(t.links.id, linkKey(project.no, 0)), lt(t.links.id, linkKey(project.no + 1, 0)));
    let [skipped, others] = [0, 0];
    for (const { id, url, state, error } of await q.select().from(t.links).where(inProject)) {
      const isKnown = fateOf(url) !== "only_sent" && isIndexed(url, LONG) === true && answered.has(positionOf(id));
      if (isKnown !== (error === "already_indexed") && error !== "cancelled")
        throw new Error(`${url} is ${state} (${error}), and Google ${isKnown ? "had" : "did not have"} it`);
      if (error === "already_indexed" && ["google", "bing", "yandex"].some((lane) => world.sent.has(`${lane} ${url}`)))
        throw new Error(`${url} was sent, although Google had it`);
      if (error === "already_indexed") skipped += 1;
      else if (state === "failed" || state === "not_indexed") others += 1;
    }
    const lookups = Math.ceil(answered.size / 10);
    const expected = project.price * others + Math.max(0, project.price * skipped - lookups);
    const entries = await q
      .select()
      .from(t.ledger)
      .where(and(eq(t.ledger.projectId, project.id), eq(t.ledger.kind, "return")));
    const returned = entries.reduce((sum, { credits }) => sum + credits, 0);
    if (returned !== expected || project.creditsReturned !== expected)
      throw new Error(`${project.id} has returned ${returned} credits, not ${expected}`);
  }
}

/** Positions of the links with a reliable answer from before they were sent. */
async function answeredIn(world: World, { no }: ProjectRow): Promise<ReadonlySet<number>> {
  const { q, t } = world.books;
  const rows = await q.select().from(t.observations).where(eq(t.observations.projectNo, no));
  const reliable = rows.filter(({ stage, result }) => stage === "before_sending" && result !== "unknown");
  return new Set(reliable.flatMap(unpackPositions));
}
