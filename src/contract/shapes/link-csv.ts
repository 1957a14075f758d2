import type { z } from "zod";
import type { Link } from "./link.ts";
import { csvOf } from "./whole-list.ts";

const COLUMNS = [
  "id",
  "url",
  "status",
  "error_code",
  "credits",
  "credits_returned",
  "scheduled_at",
  "sent_at",
  "checked_at",
  "next_check_at",
  "indexed_at",
] as const;

const ENGINES = ["google", "bing", "yandex"] as const;

/** Links as CSV. */
export function csvOfLinks(batches: AsyncIterable<readonly z.output<typeof Link>[]>): AsyncIterable<string> {
  return csvOf([...COLUMNS, ...ENGINES, "last_result"], batches, (link) => [
    ...COLUMNS.map((column) => link[column]),
    ...ENGINES.map((engine) => link.engines[engine].status),
    link.last_check?.result ?? null,
  ]);
}
