import { and, eq, isNull, or, sql } from "drizzle-orm";
import type { Tx } from "../../../db/engine.ts";
import type { Schema } from "../../../db/schema.ts";
import type { Person } from "./people.ts";

/** Tables of which a person owns rows, which go with the person. */
export const OF_PERSON = [
  "sessions",
  "pendingSignIns",
  "passkeys",
  "authenticatorApps",
  "recoveryCodes",
  "factorRemovals",
  "identities",
  "addressUndos",
  "mailLinks",
  "mailQueue",
  "codes",
  "members",
] as const satisfies readonly (keyof Schema)[];

/** Deletes a person who is a member of no account any more, and everything by which they signed in. */
export async function deletePerson(tx: Tx, { id, email }: Pick<Person, "id" | "email">): Promise<void> {
  for (const name of OF_PERSON) {
    const table = tx.t[name] as Schema["sessions"];
    await tx.q.delete(table).where(eq(table.personId, id));
  }
  const { people, mailLinks, registrations, securityEvents } = tx.t;
  await tx.q.delete(mailLinks).where(eq(mailLinks.email, email));
  await tx.q.delete(registrations).where(eq(registrations.email, email));
  await tx.q.delete(securityEvents).where(and(eq(securityEvents.personId, id), isNull(securityEvents.accountId)));
  await tx.q.update(securityEvents).set({ target: null }).where(eq(securityEvents.target, email));
  await deleteWindows(tx, [id, email]);
  await tx.q.delete(people).where(eq(people.id, id));
}

/** Deletes the counts of limits whose subjects have one of these words. */
export async function deleteWindows(tx: Tx, words: readonly string[]): Promise<void> {
  const { windows } = tx.t;
  const text = sql`' ' || ${windows.subject} || ' '`;
  const names = words.map((word) => sql`${text} LIKE ${`% ${escaped(word)} %`} ESCAPE '\\'`);
  await tx.q.delete(windows).where(or(...names));
}

/** A text within a pattern of LIKE. */
function escaped(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}
