import type { Reader } from "../../../db/engine.ts";
import { linksOf, type ProjectRow } from "../../domain/projects/read.ts";
import type { LinkState } from "../../domain/projects/states.ts";
import { presentLink } from "./link.ts";

const PAGE = 500;

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

/** All links of a project as CSV (RFC 4180), read a page at a time. */
export async function* csvOfLinks(db: Reader, project: ProjectRow, state: LinkState | null): AsyncIterable<string> {
  const engines = ["google", "bing", "yandex"] as const;
  yield csvRow([...COLUMNS, ...engines, "last_result"]);
  for (let offset = 0, more = true; more; offset += PAGE) {
    const { records, hasMore } = await linksOf(db, project, { state, limit: PAGE, offset });
    yield records
      .map(presentLink)
      .map((link) =>
        csvRow([
          ...COLUMNS.map((column) => link[column]),
          ...engines.map((engine) => link.engines[engine].status),
          link.last_check?.result ?? null,
        ]),
      )
      .join("");
    more = hasMore;
  }
}

/** One line of CSV (RFC 4180). A cell that a spreadsheet would take for a formula gets an apostrophe in front. */
export function csvRow(cells: readonly (string | number | null)[]): string {
  return `${cells.map(cell).join(",")}\r\n`;
}

function cell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
