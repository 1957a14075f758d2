import { afterAll, expect, test } from "vitest";
import { keysOf, revokeKeyOf } from "../../../../../src/domain/credentials/keys.ts";
import { createGrant } from "../../../../../src/domain/oauth/grants.ts";
import { issueAccessToken } from "../../../../../src/domain/oauth/tokens.ts";
import { knownSpenders } from "../../../../../src/domain/spending/known-spenders.ts";
import { pages } from "../../../../support/database/store.ts";
import { testService } from "../../../../support/service/service.ts";
import { ESCAPED, HOSTILE, projectOf } from "../../../../support/website/account-fixtures.ts";
import { type PageSeen, signedIn, type User } from "../../../../support/website/user.ts";

const service = await testService();
const { db, clock } = service;
afterAll(() => service.close());

const PROJECTS = "/dashboard/projects";
const LEDGER = "/dashboard/ledger";
const KEYS = "/dashboard/keys";

async function submit(key: string, name: string): Promise<void> {
  const { status } = await service.request("POST", "/projects", { key, body: { urls: pages(2), name } });
  expect(status).toBe(201);
}

/** Connects an app that may submit. Two connections of one client spend one budget. */
function connect(accountId: string, name: string): Promise<{ grantId: string; token: string }> {
  const now = clock.now();
  const scopes = ["read", "index"] as const;
  return db.tx(async (tx) => {
    const grantId = await createGrant(tx, { accountId, kind: "oauth", clientId: "client_1", name, scopes, now });
    return { grantId, token: await issueAccessToken(tx, { grantId, audience: "", scopes, now }) };
  });
}

async function keyOf(user: User, accountId: string, name: string) {
  const made = await user.submit(await user.get(KEYS), { name }, KEYS);
  const [{ id } = { id: "" }] = await keysOf(db, accountId);
  return { id, secret: /bk_test_[\w-]{32}/.exec(made.text)![0] };
}

/** An account with a key, an app that is connected twice, and a project of each and of the operator. */
async function spending() {
  const { user, accountId } = await signedIn(service);
  const key = await keyOf(user, accountId, HOSTILE);
  await submit(key.secret, "by the key");
  const first = await connect(accountId, "Old name");
  await submit(first.token, "by the app");
  clock.pass(1_000);
  const second = await connect(accountId, "New name");
  await submit(second.token, "by the app again");
  await projectOf(service, accountId, pages(1), { name: "by the operator" });
  return { user, accountId, key, first, second };
}

const namesIn = ({ html }: PageSeen) =>
  [...html.matchAll(/href="\/dashboard\/projects\/prj_\w+">(?:<bdi[^>]*>)?([^<]*)</g)].map(([, name]) => name!);
const choicesIn = ({ html }: PageSeen) => [...html.matchAll(/<option[^>]*>([^<]*)</g)].map(([, text]) => text!);

test("200: the lists of projects and of the ledger can show one key's alone, or all connections' of one app", async () => {
  const { user, key, first, second } = await spending();
  for (const path of [PROJECTS, LEDGER]) {
    const all = await user.get(path);
    expect(namesIn(all)).toEqual(["by the operator", "by the app again", "by the app", "by the key"]);
    expect(choicesIn(all)).toEqual([
      "anybody",
      "people at this website",
      "the operator",
      expect.stringMatching(/^&lt;b onclick=.* \(key\)$/),
      "New name (app)",
    ]);
    expect(all.html).not.toContain(HOSTILE);
    expect(all.html).toContain(ESCAPED);
    expect(namesIn(await user.get(`${path}?credential_id=${key.id}`))).toEqual(["by the key"]);
    for (const { grantId } of [first, second]) {
      const page = await user.get(`${path}?credential_id=${grantId}`);
      expect(namesIn(page)).toEqual(["by the app again", "by the app"]);
      expect(page.html).toContain(`<option value="${second.grantId}" selected`);
    }
    expect(namesIn(await user.get(`${path}?credential_id=operator`))).toEqual(["by the operator"]);
    const nothing = await user.get(`${path}?credential_id=person`);
    expect([namesIn(nothing), nothing.html.includes(`href="${path}">Show all`)]).toEqual([[], true]);
  }
});

test("200: counts, order, search and downloads of projects keep the filter, and it keeps them", async () => {
  const { user, second } = await spending();
  const query = `credential_id=${second.grantId}`;
  const page = await user.get(`${PROJECTS}?search=again&sort=name&${query}`);
  expect(namesIn(page)).toEqual(["by the app again"]);
  expect(page.text).toMatch(/All 1 ?Indexing 1 ?Checks 0/);
  const [, search, filter] = page.html.match(/<form method="get".*?<\/form>/gs)!;
  expect(search).toContain(`name="credential_id" value="${second.grantId}"`);
  expect(filter).toContain('type="hidden" name="search" value="again"');
  expect(filter).not.toContain('type="hidden" name="credential_id"');
  const csv = await user.get(`${PROJECTS}.csv?${query}`);
  expect([csv.html.includes("by the app again"), csv.html.includes("by the key")]).toEqual([true, false]);
});

test("200: pages of a key and of an app lead to all that they have made and spent", async () => {
  const { user, key, first } = await spending();
  for (const path of [`${KEYS}/${key.id}`, `/dashboard/apps/${first.grantId}`]) {
    const { html } = await user.get(path);
    const [, projects] = /href="(\/dashboard\/projects\?credential_id=\w+)">All its projects/.exec(html)!;
    const [, history] = /href="(\/dashboard\/ledger\?credential_id=\w+)">its credit history/.exec(html)!;
    expect(namesIn(await user.get(projects!))).toEqual(namesIn(await user.get(history!)));
    expect(namesIn(await user.get(projects!)).length).toBeGreaterThan(0);
  }
});

test("200: a revoked key that has spent can still be chosen; one that has not is left out", async () => {
  const { user, accountId, key } = await spending();
  const idle = await keyOf(user, accountId, "idle");
  for (const keyId of [key.id, idle.id]) await db.tx((tx) => revokeKeyOf(tx, accountId, { keyId, now: clock.now() }));
  const choices = choicesIn(await user.get(LEDGER));
  expect(choices.at(-1)).toMatch(/ \(revoked key\)$/);
  expect(choices.join()).not.toContain("idle");
  expect(namesIn(await user.get(`${LEDGER}?credential_id=${key.id}`))).toEqual(["by the key"]);
});

test("law: however many connections there were, the filter has one row for each app, and at most 100 of them", async () => {
  const { accountId } = await signedIn(service);
  const scopes = ["read"] as const;
  await db.tx(async (tx) => {
    for (let n = 0; n < 240; n++) {
      const app = `app ${n % 120}`;
      await createGrant(tx, { accountId, kind: "oauth", clientId: app, name: `${app}, ${n}`, scopes, now: n });
    }
  });
  const known = await knownSpenders(db, accountId);
  expect(known.map(({ name }) => name)).toEqual(Array.from({ length: 100 }, (_, n) => `app ${119 - n}, ${239 - n}`));
});

test("200: what is no credential of the account shows all, says so, and tells nothing of another account", async () => {
  const { user } = await spending();
  const stranger = await spending();
  for (const id of [stranger.key.id, stranger.second.grantId, "nonsense", "%F0%9F%98%80"])
    for (const path of [PROJECTS, LEDGER]) {
      const page = await user.get(`${path}?credential_id=${id}`);
      expect(page.text).toContain("Your account has no such key, app or agent");
      expect(namesIn(page)).toHaveLength(4);
    }
});
