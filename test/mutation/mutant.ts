/** A file in a report of Stryker. */
export interface MutatedFile {
  readonly source: string;
  readonly mutants: readonly Mutant[];
}

interface Mutant {
  readonly status: string;
  /** Of one that was killed: what the test said. */
  readonly statusReason?: string;
  readonly replacement?: string;
  readonly location: { readonly start: Position; readonly end: Position };
}

interface Position {
  readonly line: number;
  readonly column: number;
}

const KILLED = ["Killed", "Timeout"];
const SURVIVED = ["Survived", "NoCoverage"];

/** Between the line of a mutant and its change, and between the two sides of the change. */
const [AT, TO] = [" | ", " => "];

/**
 * How many mutants of a file were killed, of how many, and those that survived, as survivors.ts names them. Those that were killed
 * because time ran out are `late`, too: a busy machine is as slow as a mutant that hangs.
 */
export function resultOf({ source, mutants }: MutatedFile) {
  const survived = mutants.filter(({ status }) => SURVIVED.includes(status));
  const killed = mutants.filter(({ status }) => KILLED.includes(status)).length;
  const late = mutants.filter(isLate);
  const names = (some: readonly Mutant[]) => some.map((mutant) => nameOf(source, mutant));
  return { killed, of: killed + survived.length, survived: names(survived), late: names(late) };
}

function isLate({ status, statusReason = "" }: Mutant): boolean {
  return status === "Timeout" || (status === "Killed" && /\btimed out in \d+ms/.test(statusReason));
}

/** The line as it stands, so that the name holds wherever the line is, and what is changed; both shortened. */
function nameOf(source: string, { location: { start, end }, replacement = "" }: Mutant): string {
  const line = source.split("\n")[start.line - 1]!;
  const to = start.line === end.line ? end.column - 1 : line.length;
  const from = `${line.slice(start.column - 1, to)}${start.line === end.line ? "" : " …"}`;
  return `${beginningOf(line.trim())}${AT}${differenceOf(from, replacement.replace(/\s+/g, " "))}`;
}

/** Most characters of a line that a name has. */
const LONGEST = 90;

function beginningOf(line: string): string {
  return line.slice(0, LONGEST);
}

/** Characters that are shown around a difference. */
const AROUND = 15;

function differenceOf(from: string, to: string): string {
  const shorter = Math.min(from.length, to.length);
  let start = 0;
  while (start < shorter && from[start] === to[start]) start += 1;
  let end = 0;
  while (end < shorter - start && from.at(-1 - end) === to.at(-1 - end)) end += 1;
  const part = (text: string) => {
    const [first, last] = [Math.max(0, start - AROUND), Math.min(text.length, text.length - end + AROUND)];
    return `${first > 0 ? "…" : ""}${text.slice(first, last)}${last < text.length ? "…" : ""}`;
  };
  return `${part(from)}${TO}${part(to)}`;
}

/** Whether the line of a mutant that is named so is among the lines of a file. */
export function isLineOf(name: string, source: string): boolean {
  const beginning = name.slice(0, name.lastIndexOf(AT));
  return source.split("\n").some((line) => beginningOf(line.trim()) === beginning);
}
