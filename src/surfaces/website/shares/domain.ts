import type { AnswerOf, AnyOperation } from "../../../contract/operation.ts";
import { isSecret } from "../../../domain/credentials/secrets.ts";
import { addressKey } from "../../../domain/limits/address-key.ts";
import { consumeLimit } from "../../../domain/limits/window.ts";
import { withAdvice } from "../../../domain/projects/advice.ts";
import { evidenceOf, FINDINGS, type Finding } from "../../../domain/projects/findings.ts";
import { linksOf } from "../../../domain/projects/list-links.ts";
import { projectOf } from "../../../domain/projects/read.ts";
import { type OpenedShare, openShare } from "../../../domain/shares/open.ts";
import { SHARED_PATH, type ShareRow } from "../../../domain/shares/shares.ts";
import type { WebsiteServices } from "../shell/page-request.ts";

/** What the pages of shares read besides the answers of operations. */

export type { Finding, OpenedShare, ShareRow };
export { FINDINGS, SHARED_PATH, withAdvice };

/**
 * The share of an address; null where nobody may read it. Every try counts, whatever comes of it.
 * @throws Refusal rate_limited
 */
export async function shareAt(
  { db, clock }: WebsiteServices,
  { secret, ip }: { readonly secret: string; readonly ip: string },
): Promise<OpenedShare | null> {
  const now = clock.now();
  await consumeLimit(db, addressKey(ip), "share_views", now);
  return isSecret("share", secret) ? openShare(db, secret, now) : null;
}

/** What an operation that reads answers to whoever made the share: its page says no more than a program is told. @throws Refusal */
export async function readAs<Op extends AnyOperation>(
  { executor }: WebsiteServices,
  { sharer }: OpenedShare,
  operation: Op,
  input: object,
): Promise<AnswerOf<Op>> {
  if (operation.effect !== "read") throw new Error(`${operation.name} does more than read`);
  const principal = { ...sharer, credential: { ...sharer.credential, scopes: ["read"] as const } };
  return JSON.parse((await executor.run({ operation, input, audience: "program", principal, requestsToday: 0 })).text);
}

/** A page of the URLs of a shared project, each with what the evidence says of it. */
export async function urlsOf(
  { db }: WebsiteServices,
  { share: { accountId, projectId } }: OpenedShare,
  page: { readonly limit: number; readonly offset: number },
) {
  const project = (await projectOf(db, accountId, projectId!))!;
  const { records, hasMore } = await linksOf(db, project, { ...page, search: "", sort: "submitted", state: null });
  const urls = records.map((record) => ({ url: record.link.url, finding: evidenceOf(record).finding }));
  return { urls, hasMore };
}
