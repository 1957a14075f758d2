import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";
import { join } from "node:path";
import { packageRoot } from "../src/platform/package-root.ts";
import { version } from "../src/platform/version.ts";

type Cell = string | number;

/** What a bench has measured, as it is shown and reported. */
export interface Result {
  /** The name in `npm run bench -- NAME`. */
  readonly bench: string;
  readonly title: string;
  /** What was measured, and how: sentences. */
  readonly about: string;
  /** Rows by their names; each has the same columns. */
  readonly rows: Readonly<Record<string, Readonly<Record<string, Cell>>>>;
  readonly aims: readonly Aim[];
}

/** A figure that has to be at most, or at least, another one. */
export interface Aim {
  readonly what: string;
  readonly measured: number;
  readonly most?: number;
  readonly least?: number;
  readonly unit: string;
}

/** A result, with when and on what it was measured. */
export interface KeptResult extends Result {
  /** YYYY-MM-DD, UTC */
  readonly date: string;
  readonly machine: string;
  readonly versions: string;
}

/** Not committed: `npm run bench -- report` makes docs/performance.md of these files. */
const FOLDER = join(packageRoot, "bench/.results");

/** Prints a result, and keeps it for the report. */
export function show(result: Result): void {
  console.log(`${result.title}. ${result.about}`);
  console.table(result.rows);
  for (const aim of result.aims) console.log(`${isReached(aim) ? "reached" : "FALLS SHORT"}: ${aimWords(aim)}`);
  mkdirSync(FOLDER, { recursive: true });
  const date = new Date().toISOString().slice(0, 10);
  const kept: KeptResult = { ...result, date, machine: machineWords(), versions: versionWords() };
  writeFileSync(join(FOLDER, `${result.bench}.json`), JSON.stringify(kept, null, 2));
}

/** The latest result of each bench that was run in this folder. */
export function keptResults(): KeptResult[] {
  mkdirSync(FOLDER, { recursive: true });
  return readdirSync(FOLDER).map((file) => JSON.parse(readFileSync(join(FOLDER, file), "utf8")) as KeptResult);
}

export function isReached({ measured, most = Number.POSITIVE_INFINITY, least = 0 }: Aim): boolean {
  return measured <= most && measured >= least;
}

/** `get_account / node:http: 1.5 ×, aim ≤ 1.7 ×` */
export function aimWords({ what, measured, most, least, unit }: Aim): string {
  const inUnit = (figure: number) => `${figure} ${unit}`.trimEnd();
  return `${what}: ${inUnit(measured)}, aim ${most === undefined ? `≥ ${inUnit(least!)}` : `≤ ${inUnit(most)}`}`;
}

function machineWords(): string {
  const [first] = cpus();
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  const load = loadavg()[0]!.toFixed(1);
  return `${cpus().length} × ${first?.model.trim() ?? "unknown"}, ${gigabytes} GB, load average ${load} at the end`;
}

function versionWords(): string {
  return `Beckon ${version}, Node.js ${process.versions.node}`;
}
