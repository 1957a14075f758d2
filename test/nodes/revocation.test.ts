import { afterAll, expect, test } from "vitest";
import { grantsOf, revokeGrant } from "../../src/domain/oauth/grants.ts";
import { rotateKeys } from "../../src/domain/oauth/signing-keys.ts";
import { revokeCredentials } from "../../src/domain/users/revoke-access.ts";
import { endSessions } from "../../src/domain/users/sessions.ts";
import { a2aClient, message } from "../support/a2a/test-bindings.ts";
import { ownerOf } from "../support/database/people.ts";
import { poster, toolCall } from "../support/mcp/post.ts";
import { Agent, connectedAgent } from "../support/oauth/agent.ts";
import { appOf } from "../support/oauth/app.ts";
import { testService } from "../support/service/service.ts";
import { signedIn, User } from "../support/website/user.ts";

/** Two nodes on one database: what was good at both and is taken back at one is refused by the other at the next call. */
const one = await testService();
const two = await testService({ sharedWith: one });
afterAll(async () => {
  await two.close();
  await one.close();
});
const { clock } = one;

/** The statuses of a call at a node, over each surface. */
async function statusesAt({ url }: typeof one, key: string) {
  const rest = await fetch(`${url}/api/v1/account`, { headers: { Authorization: `Bearer ${key}` } });
  await rest.arrayBuffer();
  const mcp = await poster(url)(toolCall("get_account"), { key });
  const agent = a2aClient(`${url}/a2a`, key);
  const params = { message: message("call", { parts: [{ data: { skill: "get_account", input: {} } }] }) };
  const rpc = await agent.rpc("SendMessage", params);
  const json = await agent.rest("POST", "/message:send", { message: { ...params.message, messageId: `${key}-rest` } });
  return [rest.status, mcp.status, rpc.status, json.status];
}

/** The same browser, before another node. */
function at(user: User, service: typeof one): User {
  const other = new User(service);
  for (const [name, value] of user.cookies) other.cookies.set(name, value);
  return other;
}

const GOOD = [200, 200, 200, 200];
const REFUSED = [401, 401, 401, 401];

async function takenBack(key: string, take: () => Promise<unknown>): Promise<void> {
  for (const node of [one, two, one, two]) expect(await statusesAt(node, key)).toEqual(GOOD);
  await take();
  expect(await statusesAt(two, key)).toEqual(REFUSED);
  expect(await statusesAt(one, key)).toEqual(REFUSED);
}

test("law: an API key", async () => {
  const { id, key } = await one.account();
  await takenBack(key, () =>
    one.db.tx((tx) => revokeCredentials(tx, { accountId: id }, { by: "owner", ip: "", now: clock.now() })),
  );
});

test("law: an access token, by the app's own /oauth/revoke; its refresh token too", async () => {
  const app = appOf(one);
  const { access, refresh } = await app.connected();
  await takenBack(access, () => app.revoke(access));
  expect((await appOf(two).refresh(refresh)).json).toMatchObject({ error: "invalid_grant" });
});

test("law: a refresh token, which ends the grant; its access token too", async () => {
  const app = appOf(one);
  const { access, refresh } = await app.connected();
  await takenBack(access, () => app.revoke(refresh));
  expect((await appOf(two).refresh(refresh)).json).toMatchObject({ error: "invalid_grant" });
});

test("law: the grant of an agent, by its user; its assertion too", async () => {
  const { user, email, accountId } = await signedIn(one);
  const { tokens } = await connectedAgent(one, { user, email });
  const [grant] = await grantsOf(one.db, accountId);
  await takenBack(tokens.access_token, () =>
    one.db.tx((tx) => revokeGrant(tx, { grantId: grant!.id, by: "owner", now: clock.now() })),
  );
  expect((await new Agent(two).renew(tokens.identity_assertion)).body).toMatchObject({ error: "invalid_grant" });
});

test("law: a session", async () => {
  const { user, accountId } = await signedIn(one);
  for (const node of [one, two]) expect((await at(user, node).get("/dashboard")).status).toBe(200);
  await one.db.tx(async (tx) => endSessions(tx, await ownerOf(tx, accountId), clock.now()));
  for (const node of [two, one]) expect((await at(user, node).get("/dashboard")).location).toMatch(/^\/sign-in/);
});

test("law: signing keys rotate at both nodes: an assertion by the new key is valid at the other", async () => {
  const { user, email } = await signedIn(one);
  await connectedAgent(one, { user, email });
  await rotateKeys(one.db, clock.now());
  const { tokens } = await connectedAgent(two, { user: at(user, two), email });
  expect((await new Agent(one).renew(tokens.identity_assertion)).status).toBe(200);
});
