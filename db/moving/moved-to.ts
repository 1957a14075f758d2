/** Key in `meta`; its value is the address that a database was moved to. */
export const MOVED_TO_KEY = "moved_to";

/** The error for whoever opens a database that was moved elsewhere. */
export function movedMessage(what: string, to: string): string {
  return `${what} was moved to ${to}, and what is written here would be lost. Set DATABASE_URL to that one.`;
}
