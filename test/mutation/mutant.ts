/** A file in a report of Stryker. */
export interface MutatedFile {
  readonly source: string;
  readonly mutants: readonly Mutant[];
}

interface Mutant {
  readonly status: string;
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

/** How many mutants of a file were killed, of how many, and those that survived, as survivors.ts names them. */
export function resultOf({ source, mutants }: MutatedFile) {
  const survived = mutants.filter(({ status }) => SURVIVED.includes(status));
  const killed = mutants.filter(({ status }) => KILLED.includes(status)).length;
  return { killed, of: killed + survived.length, survived: survived.map((mutant) => nameOf(source, mutant)) };
}

/** The line as it stands, so that the name holds wherever the line is; of a longer text its first line. */
function nameOf(source: string, { location: { start, end }, replacement = "" }: Mutant): string {
  const line = source.split("\n")[start.line - 1]!;
  const to = start.line === end.line ? end.column - 1 : line.length;
  const from = `${line.slice(start.column - 1, to)}${start.line === end.line ? "" : " …"}`;
  return `${line.trim()}${AT}${from}${TO}${replacement.replace(/\s+/g, " ").slice(0, 80)}`;
}

/** The line that a name begins with. */
export function lineOf(name: string): string {
  return name.slice(0, name.lastIndexOf(AT));
}
