import { setImmediate } from "node:timers/promises";
import { iso } from "../../platform/clock.ts";
import type { ZipEntry } from "../../platform/zip.ts";
import { csvOf } from "../shapes/whole-list.ts";
import { COVERAGE } from "./coverage.ts";
import type { Batches, ExportRecord, Section, Source } from "./section.ts";
import { SECTIONS } from "./sections.ts";

/** Rows after which a section goes on in another file, which programs for tables can still open. */
const ROWS_PER_FILE = 100_000;

/** Called with the number of rows of each batch that was read. */
type OnRows = (count: number) => void;

/** The files of an export: one that explains them, and JSON and CSV of each section. */
export async function* entriesOf(source: Source, at: number, onRows: OnRows): AsyncIterable<ZipEntry> {
  yield { name: "README.txt", text: once(readme(at)) };
  for (const form of ["json", "csv"] as const)
    for (const [name, section] of Object.entries(SECTIONS)) yield* filesOf(name, section, { form, source, onRows });
}

/** The files of a section: one, or more where it is long. Each is read before the next one is requested. */
async function* filesOf(
  name: string,
  section: Section,
  { form, source, onRows }: { form: "json" | "csv"; source: Source; onRows: OnRows },
): AsyncIterable<ZipEntry> {
  const batches = section.batches(source)[Symbol.asyncIterator]();
  let next = await batches.next();
  for (let part = 1; part === 1 || !next.done; part++) {
    const text = form === "csv" ? csvOf(section.columns, some(), cellsOf(section.columns)) : jsonArrayOf(some());
    yield { name: `${form}/${name}${part === 1 ? "" : `-${part}`}.${form}`, text };
  }

  /** The batches of one file. */
  async function* some(): Batches {
    for (let rows = 0; !next.done && rows < ROWS_PER_FILE; next = await batches.next()) {
      rows += next.value.length;
      onRows(next.value.length);
      yield next.value;
      // SQLite answers at once: requests get a turn after each batch.
      await setImmediate();
    }
  }
}

/** A JSON array with a record on each line. */
async function* jsonArrayOf(batches: Batches): AsyncIterable<string> {
  let separator = "[\n";
  for await (const batch of batches) {
    let text = "";
    for (const record of batch) {
      text += `${separator}${JSON.stringify(record)}`;
      separator = ",\n";
    }
    yield text;
  }
  yield separator === "[\n" ? "[]\n" : "\n]\n";
}

function cellsOf(columns: readonly string[]): (record: ExportRecord) => (string | number | null)[] {
  const paths = columns.map((column) => column.split("."));
  return (record) => paths.map((path) => cellOf(path.reduce(fieldOf, record as unknown)));
}

function fieldOf(value: unknown, field: string): unknown {
  return value === null || value === undefined ? null : (value as ExportRecord)[field];
}

/** A value as a cell: lists separated by spaces, objects as JSON. */
function cellOf(value: unknown): string | number | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "number" || typeof value === "string") return value;
  if (Array.isArray(value)) return value.join(" ");
  return typeof value === "boolean" ? String(value) : JSON.stringify(value);
}

function readme(at: number): string {
  const files = Object.entries(SECTIONS).map(([name, { about }]) => `${name}: ${about}`);
  const leftOut = Object.entries(COVERAGE).flatMap(([table, covered]) =>
    "leftOut" in covered ? [`${table}: ${covered.leftOut}.`] : [],
  );
  return [
    `Everything that a Beckon account holds, as of ${iso(at)}.`,
    "Each of these is a file in json/ and one in csv/. One of more than 100,000 rows goes on in files with a number. Times are in UTC. What a spreadsheet would take for a formula has an apostrophe in front in CSV.",
    files.join("\n"),
    "Changes made while the export was written may be in some of its files and not in others.",
    `These tables of the service are left out, each with the reason:\n${leftOut.join("\n")}`,
  ].join("\n\n");
}

async function* once(text: string): AsyncIterable<string> {
  yield `${text}\n`;
}
