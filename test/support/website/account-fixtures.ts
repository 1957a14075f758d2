import { createGrant } from "../../../src/domain/oauth/grants.ts";
import { issueAccessToken } from "../../../src/domain/oauth/tokens.ts";
import { createProject } from "../../../src/domain/projects/create.ts";
import type { Scope } from "../../../src/platform/principal.ts";
import { packUrls } from "../../../src/platform/urls/packed-urls.ts";
import type { TestService } from "../service/service.ts";

/** Text that a page must escape. */
export const HOSTILE = `<b onclick="x">&'`;
export const ESCAPED = "&lt;b onclick=&quot;x&quot;>&amp;'";

/** Connects an app or agent to an account. @returns its grant and an access token */
export async function connected(
  { db, clock }: TestService,
  accountId: string,
  {
    name = "Some app",
    kind = "oauth" as "oauth" | "agent",
    clientId = null as string | null,
    scopes = ["read"] as readonly Scope[],
  } = {},
): Promise<{ grantId: string; token: string }> {
  const now = clock.now();
  return db.tx(async (tx) => {
    const grantId = await createGrant(tx, { accountId, kind, clientId, name, scopes, now });
    return { grantId, token: await issueAccessToken(tx, { grantId, audience: "", scopes, now }) };
  });
}

/** Creates a project of an account. @returns its id */
export async function projectOf(
  { db, clock }: TestService,
  accountId: string,
  urls: readonly string[],
  more: { name?: string; dripDays?: number } = {},
): Promise<string> {
  const draft = { kind: "index", mode: "standard", bing: true, yandex: false, dripDays: 0 } as const;
  const times = { now: clock.now(), service: clock.service() };
  const made = await db.tx((tx) => createProject(tx, { ...draft, accountId, urls: packUrls(urls), ...times, ...more }));
  return made.project.id;
}

/** The status of `GET /account` with a credential. */
export async function statusOf(service: TestService, credential: string): Promise<number> {
  return (await service.request("GET", "/account", { key: credential })).status;
}
