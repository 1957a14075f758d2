/** Name in `meta` of what says that a database was left for another one. */
export const MOVED_TO = "moved_to";

/** What a database that was left says to whoever opens it. */
export function movedAway(what: string, to: string): string {
  return `${what} was moved to ${to}, and what is written here would be lost. Set DATABASE_URL to that one.`;
}
