import { iso } from "../../platform/clock.ts";
import { linkId } from "../../platform/ids.ts";
import type { EventCounts } from "../events/facts.ts";
import { IDS_PER_EVENT, type NewEvent } from "../events/types.ts";
import type { CrawlEngine } from "./facts.ts";
import type { Move } from "./move.ts";
import type { ProjectRow } from "./read.ts";

const SETTLED = ["indexed", "not_indexed", "failed"] as const;

/** What the moves of one transaction tell: at most one event of links that were settled, and one of links that were dropped. */
export function eventsOfMoves({ id }: ProjectRow, moves: readonly Move[], returned: number): NewEvent[] {
  const settled = { indexed: links(id), not_indexed: links(id), failed: links(id) };
  const dropped = links(id);
  const reasons: Record<string, number> = {};
  for (const { positions, from, to, dropped: reason } of moves) {
    if (reason !== undefined) {
      dropped.add(positions);
      reasons[reason] = (reasons[reason] ?? 0) + positions.length;
    }
    if (from !== to && to !== "waiting" && to !== "checking") settled[to].add(positions);
  }
  const events: NewEvent[] = [];
  const { indexed, not_indexed, failed } = settled;
  const counts = { indexed: indexed.count, not_indexed: not_indexed.count, failed: failed.count };
  if (SETTLED.some((state) => counts[state] > 0)) {
    const found = { indexed: indexed.ids, not_indexed: not_indexed.ids, failed: failed.ids };
    events.push({
      type: "links.settled",
      projectId: id,
      data: { project_id: id, counts, links: found, credits_returned: returned },
    });
  }
  if (dropped.count > 0) {
    const data = { project_id: id, count: dropped.count, links: dropped.ids, reasons };
    events.push({ type: "links.dropped", projectId: id, data });
  }
  return events;
}

/** @param crawled links that the engine has fetched since they were sent; at least one */
export function crawledEvent(
  { id }: ProjectRow,
  engine: CrawlEngine,
  crawled: readonly { readonly position: number; readonly crawledAt: number }[],
): NewEvent {
  const told = links(id);
  told.add(crawled.map(({ position }) => position));
  const times = crawled.map(({ crawledAt }) => crawledAt);
  const span = { first_at: iso(Math.min(...times)), last_at: iso(Math.max(...times)) };
  return {
    type: "links.crawled",
    projectId: id,
    data: { project_id: id, engine, count: told.count, links: told.ids, ...span },
  };
}

/** @param completedAt service time */
export function completedEvent(project: ProjectRow, completedAt: number): NewEvent {
  const { id, kind, name, total, indexed, notIndexed, failed, creditsSpent, creditsReturned } = project;
  const counts: EventCounts & { total: number } = { total, indexed, not_indexed: notIndexed, failed };
  const credits = { credits_spent: creditsSpent, credits_returned: creditsReturned };
  const data = { project_id: id, kind, name, counts, ...credits, completed_at: iso(completedAt) };
  return { type: "project.completed", projectId: id, data };
}

/** Counts links, and keeps the ids of the first ones. */
function links(projectId: string) {
  const ids: string[] = [];
  return {
    ids,
    count: 0,
    add(positions: readonly number[]): void {
      this.count += positions.length;
      for (const position of positions.slice(0, IDS_PER_EVENT - ids.length)) ids.push(linkId(projectId, position));
    },
  };
}
