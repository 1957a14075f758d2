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
  "first_found_at",
  "last_found_at",
] as const;

const ENGINES = ["google", "bing", "yandex"] as const;

/** Links as CSV. */
export function csvOfLinks(batches: AsyncIterable<readonly z.output<typeof Link>[]>): AsyncIterable<string> {
  return csvOf([...COLUMNS, ...ENGINES, "google_crawled_at", "bing_crawled_at", "last_result"], batches, (link) => [
    ...COLUMNS.map((column) => link[column]),
    ...ENGINES.map((engine) => link.engines[engine].status),
    link.engines.google.crawled_at,
    link.engines.bing.crawled_at,
    link.last_check?.result ?? null,
  ]);
}
