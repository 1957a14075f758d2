import { createHmac } from "node:crypto";
import { eq } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import type { Schema } from "../../../db/schema.ts";
import type { Principal } from "../../platform/principal.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import { pushCredential } from "./access-rows.ts";
import { hashOf, newSecret, timingSafeEquals } from "./secrets.ts";

/**
 * The secret of a site's push address, by which its host sends access logs and can do nothing else. It is sealed and not hashed,
 * since a signature can be checked only with the secret itself (docs/decisions.md).
 */
type Site = Schema["sites"]["$inferSelect"];

const fieldOf = (row: string) => ({ table: "sites", row, column: "sealed_push_secret" });

/** Gives a site a new secret, which ends the one before. @returns the secret, to be handed out once */
export async function rotatePushSecret(tx: Tx, siteId: string, box: SecretBox): Promise<string> {
  const { sites } = tx.t;
  const { secret } = newSecret("push");
  await tx.q
    .update(sites)
    .set({ sealedPushSecret: box.seal(secret, fieldOf(siteId)) })
    .where(eq(sites.id, siteId));
  return secret;
}

/** Ends all push addresses of an account. */
export async function revokePushSecretsOf(tx: Tx, accountId: string): Promise<void> {
  const { sites } = tx.t;
  await tx.q.update(sites).set({ sealedPushSecret: null }).where(eq(sites.accountId, accountId));
}

/** The site of a push address; null where there is none. */
export async function pushedSite(db: Reader, siteId: string): Promise<Site | null> {
  const { sites } = db.t;
  const [site] = await db.q.select().from(sites).where(eq(sites.id, siteId));
  return site?.sealedPushSecret ? site : null;
}

/** What a sender proves itself by: the secret, or the HMAC-SHA1 of the body with it, as Vercel's drains do. */
export type PushProof = { readonly secret: string } | { readonly sha1: string; readonly body: Buffer };

export function isPushProven({ id, sealedPushSecret }: Site, box: SecretBox, proof: PushProof): boolean {
  const secret = box.open(sealedPushSecret!, fieldOf(id));
  if ("secret" in proof) return timingSafeEquals(hashOf(proof.secret), hashOf(secret));
  const expected = createHmac("sha1", secret).update(proof.body).digest("hex");
  return timingSafeEquals(proof.sha1.toLowerCase(), expected);
}

/** As whom a push address calls. */
export function pushPrincipal(site: Site): Principal {
  return { accountId: site.accountId, personId: null, role: null, credential: pushCredential(site) };
}
