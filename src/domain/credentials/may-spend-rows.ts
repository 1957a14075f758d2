import { and, type Column, eq, exists, gt, inArray, isNull, like, not, or, type SQL, sql } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import { ROLES, type Scope } from "../../platform/principal.ts";
import { scopesOfRole } from "../../platform/roles.ts";

type Tables = Pick<Reader, "q" | "t">;

const SPENDS: Scope = "index";
const ROLES_THAT_SPEND = ROLES.filter((role) => scopesOfRole(role).includes(SPENDS));
const ANY = { one: sql`1` };

/**
 * What may-act.ts says of somebody who spends, for statements that count rows by it: whether the key, grant or person with the id in
 * a column may still do so, and is this person's if one is named. A test holds the two together, end by end
 * (test/ends-of-access.both.test.ts).
 */
export function maySpend(
  db: Tables,
  asker: { readonly accountId: string; readonly id: Column; readonly now: number; readonly of?: string },
): SQL {
  const { apiKeys, grants, budgets, members, accountDeletions } = db.t;
  const { accountId, id, now, of } = asker;
  const lasts = (end: Column) => or(isNull(end), gt(end, now));
  const isMember = (personId: Column) =>
    and(eq(members.accountId, accountId), eq(members.personId, personId), inArray(members.role, ROLES_THAT_SPEND));
  const spends = (scopes: Column) => like(scopes, `%${SPENDS}%`);
  const ofPerson = (personId: Column) => (of === undefined ? undefined : eq(personId, of));
  const key = db.q
    .select(ANY)
    .from(apiKeys)
    .innerJoin(members, isMember(apiKeys.personId))
    .where(
      and(
        eq(apiKeys.id, id),
        isNull(apiKeys.revokedAt),
        lasts(apiKeys.expiresAt),
        spends(apiKeys.scopes),
        ofPerson(apiKeys.personId),
      ),
    );
  const grant = db.q
    .select(ANY)
    .from(grants)
    .innerJoin(members, isMember(grants.personId))
    .leftJoin(budgets, and(eq(budgets.accountId, accountId), eq(budgets.holder, grants.holder)))
    .where(
      and(
        eq(grants.id, id),
        isNull(grants.revokedAt),
        lasts(grants.endsAt),
        lasts(budgets.expiresAt),
        spends(grants.scopes),
        ofPerson(grants.personId),
      ),
    );
  const person = db.q
    .select(ANY)
    .from(members)
    .where(and(isMember(id), ofPerson(members.personId)));
  const leaving = db.q.select(ANY).from(accountDeletions).where(eq(accountDeletions.accountId, accountId));
  return and(or(exists(key), exists(grant), exists(person)), not(exists(leaving)))!;
}
