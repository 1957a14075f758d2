import { and, count, eq, isNull } from "drizzle-orm";
import type { Tx } from "../../../db/engine.ts";
import { DAY, HOUR } from "../../platform/clock.ts";
import { newId } from "../../platform/ids.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import { SIZES } from "../../platform/sizes.ts";
import { recordSecurityEvent } from "../security-log/security-log.ts";
import { type ConnectionKind, type ConnectionRow, type Property, sealedFieldOf, shownName } from "./connections.ts";

/** What a person has connected. */
export interface NewConnection extends Pick<ConnectionRow, "accountId" | "personId" | "subject" | "name" | "scopes"> {
  readonly kind: ConnectionKind;
  readonly secret: string;
  /** Null: they could not be read yet. */
  readonly properties: readonly Property[] | null;
  readonly ip: string;
  readonly now: number;
}

/** Stores a connection. The one of the same Google account or key is renewed. @returns its id; null: there are too many */
export async function saveConnection(tx: Tx, box: SecretBox, made: NewConnection): Promise<string | null> {
  const { accountId, personId, kind, subject, name, scopes, secret, properties, ip, now } = made;
  const { connections } = tx.t;
  const isSame = and(
    eq(connections.accountId, accountId),
    eq(connections.kind, kind),
    eq(connections.subject, subject),
  );
  const [same] = await tx.q.select().from(connections).where(isSame);
  const isRenewed = same !== undefined && same.endedAt === null;
  if (!isRenewed && (await countOf(tx, accountId)) >= SIZES.connectionsPerAccount) return null;
  // One that was ended is gone: what revokes it now would end the new one too.
  if (same && !isRenewed) await tx.q.delete(connections).where(eq(connections.id, same.id));
  const id = isRenewed ? same.id : newId("con");
  const looked =
    properties === null
      ? { nextLookAt: now + HOUR }
      : { properties: JSON.stringify(properties), checkedAt: now, nextLookAt: now + DAY };
  const values = {
    personId,
    name,
    scopes,
    sealedSecret: box.seal(secret, sealedFieldOf(id)),
    failingSince: null,
    failure: null,
    ...looked,
  };
  if (isRenewed) await tx.q.update(connections).set(values).where(eq(connections.id, id));
  else {
    const fresh = { id, accountId, kind, subject, properties: "[]", createdAt: now, checkedAt: null, endedAt: null };
    await tx.q.insert(connections).values({ ...fresh, ...values });
  }
  const event = isRenewed ? "connection_renewed" : "connection_made";
  await recordSecurityEvent(tx, {
    accountId,
    personId,
    kind: event,
    subject: shownName({ kind, name }),
    target: id,
    ip,
    now,
  });
  return id;
}

async function countOf({ q, t: { connections } }: Tx, accountId: string): Promise<number> {
  const isIts = and(eq(connections.accountId, accountId), isNull(connections.endedAt));
  const [row] = await q.select({ n: count() }).from(connections).where(isIts);
  return row!.n;
}

/** Stores a token that came in place of another one. */
export async function replaceSecret(tx: Tx, box: SecretBox, id: string, secret: string): Promise<void> {
  const { connections } = tx.t;
  await tx.q
    .update(connections)
    .set({ sealedSecret: box.seal(secret, sealedFieldOf(id)) })
    .where(eq(connections.id, id));
}
