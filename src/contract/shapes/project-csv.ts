import type { z } from "zod";
import type { Project } from "./project.ts";
import { csvOf } from "./whole-list.ts";

const FACTS = ["id", "name", "kind", "mode", "drip_days", "status"] as const;
const COUNTS = ["total", "waiting", "checking", "indexed", "not_indexed", "failed"] as const;
const FIGURES = [
  "index_rate",
  "credits_spent",
  "credits_returned",
  "created_at",
  "completed_at",
  "dashboard_url",
] as const;

/** Projects as CSV. */
export function csvOfProjects(batches: AsyncIterable<readonly z.output<typeof Project>[]>): AsyncIterable<string> {
  return csvOf([...FACTS, ...COUNTS, ...FIGURES], batches, (project) => [
    ...FACTS.map((column) => project[column]),
    ...COUNTS.map((column) => project.counts[column]),
    ...FIGURES.map((column) => project[column]),
  ]);
}
