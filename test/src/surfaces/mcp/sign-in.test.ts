import { afterAll, describe, expect, test } from "vitest";
import { MINUTE } from "../../../../src/platform/clock.ts";
import { answerOf } from "../../../support/mcp/call-every-tool.ts";
import { App, SIGN_IN_CLIENTS, type SignInClient } from "../../../support/mcp/sign-in-clients.ts";
import { consent } from "../../../support/oauth/consent.ts";
import { testService } from "../../../support/service/service.ts";
import { signedIn, User } from "../../../support/website/user.ts";

const service = await testService({ publishUrl: true });
afterAll(() => service.close());

const URLS = { urls: ["https://example.com/"] };

describe.each(Object.entries(SIGN_IN_CLIENTS))("%s", (name, connect) => {
  /** An app that its user has signed in. */
  async function signInBy(untick: readonly string[] = []) {
    const { user } = await signedIn(service);
    const app = new App();
    const client = await connect(`${service.url}/mcp`, app);
    await signInAgain(client, app, user, () => client.call("get_account"), untick);
    return { user, app, client };
  }

  test("a client connects and lists without a credential, and a call that needs one makes it sign in", async () => {
    const { user } = await signedIn(service);
    const app = new App();
    const client = await connect(`${service.url}/mcp`, app);
    expect(answerOf(await client.call("get_pricing"))).toMatchObject({ object: "pricing" });
    expect(app.authorizationUrl).toBeNull();

    await expect(client.call("get_account")).rejects.toThrow(/unauthorized/i);
    expect(app.authorizationUrl?.searchParams.get("resource")).toBe(`${service.url}/mcp`);
    // The second generation asks for a refresh token where one is announced (SEP-2207).
    expect(app.authorizationUrl?.searchParams.get("scope")).toMatch(/^read index purchase(?: offline_access)?$/);
    const answer = await consent(user, app.authorizationUrl!);
    await client.finish(answer.searchParams);
    expect(answerOf(await client.call("get_account"))).toMatchObject({
      credential: { type: "oauth", name: "Test app" },
    });
    await client.close();
  });

  test.each(["/mcp?toolsets=jobs,webhooks", "/mcp/"])(
    "it signs in at %s, and its token is good there",
    async (address) => {
      const { user } = await signedIn(service);
      const app = new App();
      const client = await connect(`${service.url}${address}`, app);
      await signInAgain(client, app, user, () => client.call("get_account"));
      expect(app.authorizationUrl?.searchParams.get("resource")).toBe(`${service.url}${address}`);
      expect(answerOf(await client.call("get_account"))).toMatchObject({ object: "account" });
      service.clock.pass(61 * MINUTE);
      app.authorizationUrl = null;
      expect(answerOf(await client.call("list_webhooks"))).toMatchObject({ webhooks: [] });
      expect(app.authorizationUrl).toBeNull();
      await client.close();
    },
  );

  test("it signs in by either name of a sandbox on this machine, whichever SITE_URL has", async () => {
    const there = service.url.replace("127.0.0.1", "localhost");
    const { user: owner } = await signedIn(service);
    const user = new User({ url: there });
    user.cookies.set("sid", owner.cookies.get("sid")!);
    const app = new App();
    const client = await connect(`${there}/mcp`, app);
    await signInAgain(client, app, user, () => client.call("get_account"));
    expect(app.authorizationUrl?.searchParams.get("resource")).toBe(`${there}/mcp`);
    expect(answerOf(await client.call("get_account"))).toMatchObject({ object: "account" });
    await client.close();
  });

  test("after 60 minutes it refreshes its token without asking its user", async () => {
    const { app, client } = await signInBy();
    const before = app.stored.tokens!;
    app.authorizationUrl = null;
    for (let hour = 0; hour < 3; hour++) {
      service.clock.pass(61 * MINUTE);
      expect(answerOf(await client.call("get_account"))).toMatchObject({ object: "account" });
    }
    expect(app.stored.tokens!.access_token).not.toBe(before.access_token);
    expect(app.authorizationUrl).toBeNull();
    await client.close();
  });

  test("403 insufficient_scope: it requests the missing scope, and keeps the scopes that it had", async () => {
    const { user, app, client } = await signInBy(["index", "purchase"]);
    app.authorizationUrl = null;
    // The first generation refreshes instead of asking, which gives it no more than it had: its app lets go first.
    if (name.startsWith("sdk")) {
      await expect(client.call("submit_urls", URLS)).rejects.toThrow(/403/);
      app.invalidateCredentials("tokens");
    }
    await signInAgain(client, app, user, () => client.call("submit_urls", URLS));
    expect(app.authorizationUrl!.searchParams.get("scope")).toMatch(/^read index/);
    expect(answerOf(await client.call("submit_urls", URLS))).toMatchObject({ urls_accepted: 1 });
    expect(answerOf(await client.call("list_projects"))).toMatchObject({ has_more: false });
    await client.close();
  });

  test("401 after it was disconnected in the dashboard: it signs in again", async () => {
    const { user, app, client } = await signInBy();
    const page = await user.get("/dashboard/apps");
    const { action } = page.forms.find((form) => form.action.endsWith("/disconnect"))!;
    expect((await user.follow(await user.submit(page, {}, action))).text).toContain("Disconnected");
    app.authorizationUrl = null;
    await signInAgain(client, app, user, () => client.call("get_account"));
    expect(answerOf(await client.call("get_account"))).toMatchObject({ object: "account" });
    await client.close();
  });
});

/** The call makes the client ask for its user, who consents. */
async function signInAgain(
  client: SignInClient,
  app: App,
  user: User,
  call: () => Promise<unknown>,
  untick: readonly string[] = [],
): Promise<void> {
  await expect(call()).rejects.toThrow(/unauthorized/i);
  await client.finish((await consent(user, app.authorizationUrl!, { untick })).searchParams);
}
