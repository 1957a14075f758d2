import { asc, desc, type SQL, sql } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";

/** Orders of a list of links; `-` is the other way round. Links that are equal stand in submission order. */
export const LINK_SORTS = ["submitted", "url", "status", "checked"] as const;
/** Orders of a list of projects; projects that are equal stand newest first. */
export const PROJECT_SORTS = ["created", "name", "total", "indexed", "rate"] as const;

/** Whether a list of projects has the archived ones. */
export const ARCHIVED = ["hide", "only", "all"] as const;
export type Archived = (typeof ARCHIVED)[number];

export type LinkSort = Descending<(typeof LINK_SORTS)[number]>;
export type ProjectSort = Descending<(typeof PROJECT_SORTS)[number]>;
type Descending<Word extends string> = Word | `-${Word}`;

/** Each order and its reverse: `name`, `-name`. */
export function bothWays<const Word extends string>(words: readonly Word[]): Descending<Word>[] {
  return words.flatMap((word): Descending<Word>[] => [word, `-${word}`]);
}

/** ORDER BY of links. The database cannot order by the last check; see `keysByCheck`. */
export function linkOrder(db: Reader, sort: Exclude<LinkSort, "checked" | "-checked">): SQL[] {
  const { links } = db.t;
  const { word, direction } = parsed(sort);
  if (word === "submitted") return [direction(links.id)];
  return [direction(word === "url" ? db.caseless(links.url) : links.state), asc(links.id)];
}

/** ORDER BY of projects. Projects without a rate come last in both orders by rate. */
export function projectOrder(db: Reader, sort: ProjectSort): SQL[] {
  const { projects } = db.t;
  const { word, direction } = parsed(sort);
  if (word === "created") return [direction(projects.no)];
  const decided = sql`(${projects.indexed} + ${projects.notIndexed})`;
  const keys = {
    name: [direction(db.caseless(projects.name))],
    total: [direction(projects.total)],
    indexed: [direction(projects.indexed)],
    rate: [
      desc(sql`${decided} > 0`),
      direction(sql`cast(${projects.indexed} as double precision) / nullif(${decided}, 0)`),
    ],
  } satisfies Record<Exclude<typeof word, "created">, SQL[]>;
  return [...keys[word], desc(projects.no)];
}

export function parsed<Word extends string>(sort: Word | `-${Word}`) {
  const isDescending = sort.startsWith("-");
  const word = (isDescending ? sort.slice(1) : sort) as Exclude<Word, `-${string}`>;
  return { word, isDescending, direction: isDescending ? desc : asc };
}
