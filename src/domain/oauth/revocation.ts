import { eq } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import { hashOf, isSecret } from "../credentials/secrets.ts";
import { grantOfAssertion } from "./assertion.ts";

/**
 * The grant of a token of any kind, ended or not; null when there is none. Expired and used tokens count too, as long as
 * they are stored: whoever revokes one wants the app to be disconnected. An API key is not a token: it belongs to no app,
 * and its owner revokes it.
 */
export async function grantOfToken(
  db: Reader,
  { token, siteUrls, now }: { token: string; siteUrls: readonly string[]; now: number },
): Promise<{ id: string; clientId: string | null } | null> {
  const id = isSecret("access", token)
    ? await grantIdIn(db, db.t.accessTokens, token)
    : isSecret("refresh", token)
      ? await grantIdIn(db, db.t.refreshTokens, token)
      : isAssertion(token)
        ? await grantOfAssertion(db, siteUrls, token, now)
        : null;
  if (id === null) return null;
  const { grants } = db.t;
  const [grant] = await db.q.select({ id: grants.id, clientId: grants.clientId }).from(grants).where(eq(grants.id, id));
  return grant ?? null;
}

type Table = Reader["t"]["accessTokens"] | Reader["t"]["refreshTokens"];

async function grantIdIn(db: Reader, table: Table, secret: string): Promise<string | null> {
  const [row] = await db.q
    .select({ grantId: table.grantId })
    .from(table)
    .where(eq(table.hash, hashOf(secret)));
  return row?.grantId ?? null;
}

/** The compact form of a signed JWT (RFC 7515 section 7.1). */
function isAssertion(text: string): boolean {
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(text);
}
