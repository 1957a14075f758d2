import { afterAll, expect, test } from "vitest";
import { addMember, setRole } from "../../../../../../src/domain/people/members.ts";
import { ownerOf } from "../../../../../support/database/people.ts";
import { appOf } from "../../../../../support/oauth/app.ts";
import { redirectParameters, registerApp } from "../../../../../support/oauth/authorizing-app.ts";
import { testService } from "../../../../../support/service/service.ts";
import { signedIn } from "../../../../../support/website/user.ts";

const service = await testService();
afterAll(() => service.close());
const { db, clock } = service;

test("consent says for which account it is, another one can be chosen, and the app may do there what its person may now", async () => {
  const [guest, owner] = [await signedIn(service), await signedIn(service)];
  const { accountId } = owner;
  const personId = await ownerOf(db, guest.accountId);
  await db.tx((tx) => addMember(tx, { accountId, personId, role: "manager", now: clock.now() }));
  const app = await registerApp(service);
  const asked = await guest.user.get(app.address());
  const choose = /href="([^"]*)">Choose another account</.exec(asked.html)![1]!.replaceAll("&amp;", "&");
  const accounts = await guest.user.get(choose);
  const again = await guest.user.follow(await guest.user.submit(accounts, {}, "/dashboard/accounts"));
  expect(again.text).toContain(`It will have access to ${owner.email.split("@")[0]}`);

  const scope = ["read", "index"];
  const allowed = await guest.user.submit(again, { scope, decision: "allow" }, "/oauth/authorize");
  const { code } = redirectParameters(allowed.location);
  const { exchange } = appOf(service);
  const { json } = await exchange(code!, { client_id: app.clientId, redirect_uri: app.redirectUri });
  const headers = { Authorization: `Bearer ${json.access_token}`, "Content-Type": "application/json" };
  const account = async () => (await fetch(`${service.url}/api/v1/account`, { headers })).json();
  expect(await account()).toMatchObject({ id: accountId, credential: { type: "oauth", scopes: ["read", "index"] } });
  const body = JSON.stringify({ urls: ["https://example.com/"] });
  const submit = async () => (await fetch(`${service.url}/api/v1/projects`, { method: "POST", headers, body })).status;
  expect(await submit()).toBe(201);
  await db.tx((tx) => setRole(tx, { accountId, personId, role: "viewer" }));
  expect(await submit()).toBe(403);
  expect(await account()).toMatchObject({ id: accountId, credential: { scopes: ["read"] } });
});
