import { eq } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import type { Schema } from "../../../db/schema.ts";
import type { Principal } from "../../platform/principal.ts";
import { pushCredential } from "./access-rows.ts";
import { hashOf, newSecret, timingSafeEquals } from "./secrets.ts";

/** The site of a push address, by which its host sends access logs and can do nothing else. */
type Site = Schema["sites"]["$inferSelect"];

/** Gives a site a new secret, which ends the one before. @returns the secret, to be handed out once */
export async function rotatePushSecret(tx: Tx, siteId: string): Promise<string> {
  const { sites } = tx.t;
  const { secret, hash } = newSecret("push");
  await tx.q.update(sites).set({ pushSecretHash: hash }).where(eq(sites.id, siteId));
  return secret;
}

/** Ends all push addresses of an account. */
export async function revokePushSecretsOf(tx: Tx, accountId: string): Promise<void> {
  const { sites } = tx.t;
  await tx.q.update(sites).set({ pushSecretHash: null }).where(eq(sites.accountId, accountId));
}

/** The site of a push address; null where there is none. */
export async function pushedSite(db: Reader, siteId: string): Promise<Site | null> {
  const { sites } = db.t;
  const [site] = await db.q.select().from(sites).where(eq(sites.id, siteId));
  return site?.pushSecretHash ? site : null;
}

export function isPushSecretOf({ pushSecretHash }: Site, secret: string): boolean {
  return timingSafeEquals(hashOf(secret), pushSecretHash!);
}

/** As whom a push address calls. */
export function pushPrincipal(site: Site): Principal {
  return { accountId: site.accountId, personId: null, role: null, credential: pushCredential(site) };
}
