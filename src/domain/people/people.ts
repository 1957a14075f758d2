import { eq, sql } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import { newId } from "../../platform/ids.ts";
import { normaliseEmail } from "./email.ts";

export type Person = Reader["t"]["people"]["$inferSelect"];

export interface NewPerson {
  /** Normalised, and of nobody else. */
  readonly email: string;
  /** Without one, the person does not sign in by password. */
  readonly passwordHash?: string | null;
  /** When a mailed link verified the address. */
  readonly verifiedAt?: number | null;
  readonly now: number;
}

/** @throws Error when somebody has the address */
export async function createPerson(
  tx: Tx,
  { email, passwordHash = null, verifiedAt = null, now }: NewPerson,
): Promise<Person> {
  const row = { id: newId("per"), email, passwordHash, verifiedAt, createdAt: now };
  const [person] = await tx.q.insert(tx.t.people).values(row).onConflictDoNothing().returning();
  if (!person) throw new Error(`There is already an account for ${email}.`);
  return person;
}

export async function findPerson(db: Reader, id: string): Promise<Person | null> {
  const query = db.prepared("person", ({ q, t: { people } }) =>
    q
      .select()
      .from(people)
      .where(eq(people.id, sql.placeholder("id"))),
  );
  const [row] = await query.execute({ id });
  return row ?? null;
}

/** The person with an id that comes from a session or a member, and so must exist. @throws Error when there is none */
export async function personById(db: Reader, id: string): Promise<Person> {
  const person = await findPerson(db, id);
  if (!person) throw new Error(`person ${id} is gone`);
  return person;
}

/** @param email as it was entered */
export async function personByEmail(db: Reader, email: string): Promise<Person | null> {
  const address = normaliseEmail(email);
  if (address === null) return null;
  const [row] = await db.q.select().from(db.t.people).where(eq(db.t.people.email, address));
  return row ?? null;
}

/** Changes how a person signs in. */
export async function changePerson(
  tx: Tx,
  id: string,
  set: Partial<Pick<Person, "email" | "passwordHash" | "verifiedAt" | "isFactorRequired">>,
): Promise<void> {
  const { people } = tx.t;
  await tx.q.update(people).set(set).where(eq(people.id, id)).returning({ id: people.id });
}
