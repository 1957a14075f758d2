import { afterAll, beforeEach, expect, test } from "vitest";
import { hashOf } from "../../../../../../src/domain/credentials/secrets.ts";
import { MINUTE } from "../../../../../../src/platform/clock.ts";
import { appWithId, redirectParameters } from "../../../../../support/oauth/authorizing-app.ts";
import { describing, documentHost, sends } from "../../../../../support/oauth/document-host.ts";
import { testService } from "../../../../../support/service/service.ts";
import { signedIn, User } from "../../../../../support/website/user.ts";

const host = await documentHost();
const service = await testService({ config: host.reachable, httpOverrides: host.outside });
const without = await testService({
  config: { ...host.reachable, clientDocuments: false },
  httpOverrides: host.outside,
});
afterAll(async () => {
  await service.close();
  await without.close();
  await host.close();
});

const ID = host.url();
const app = appWithId(ID, "https://app.example/callback");
const { user } = await signedIn(service);
beforeEach(() => {
  host.asked.length = 0;
  host.answer = sends(describing(ID, { client_name: "<b>Described</b>" }), { "Cache-Control": "max-age=60" });
  service.clock.pass(10 * MINUTE);
});

test("200: an app known by its document asks; the page shows the host of the document and of the redirect", async () => {
  const page = await user.get(app.address());
  expect(page.status).toBe(200);
  expect(page.text).toContain("Connect “<b>Described</b>” to your account?");
  expect(page.html).toContain(
    `The app is described by a document at <strong><code>app.example:${host.port}</code></strong>`,
  );
  expect(page.html).toContain("You will be sent back to <code>https://<strong>app.example</strong>/callback</code>");
  const { location } = await user.submit(page, { decision: "allow" });
  const { code, iss } = redirectParameters(location);
  expect(iss).toBe(service.config.siteUrl);
  const codes = await service.db.q.select().from(service.db.t.codes);
  expect(codes.find(({ hash }) => hash === hashOf(code!))).toMatchObject({ clientId: ID });
  expect(host.asked).toEqual(["/client.json"]);
});

test("400: the document is checked again when the user decides", async () => {
  const page = await user.get(app.address());
  host.answer = sends(describing(ID, { redirect_uris: ["https://moved.example/cb"] }));
  service.clock.pass(MINUTE);
  const answer = await user.submit(page, { decision: "allow" });
  expect([answer.status, answer.location]).toEqual([400, null]);
});

test.each([
  ["a redirect that the document does not name", ID, "https://evil.example/callback", sends(describing(ID))],
  ["a document of somebody else", ID, app.redirectUri, sends(describing("https://other.example/client.json"))],
  ["a document with a secret", ID, app.redirectUri, sends(describing(ID, { client_secret: "s3cret" }))],
  ["no document", ID, app.redirectUri, sends("nothing s3cret here", {}, 404)],
  ["a document inside", host.url("/client.json", "inside.example"), app.redirectUri, sends(describing(ID))],
  ["metadata of a cloud", "https://169.254.169.254/latest", app.redirectUri, sends(describing(ID))],
  ["a document by http", "http://app.example/client.json", app.redirectUri, sends(describing(ID))],
])("400, and no redirect: %s", async (_, clientId, redirectUri, answer) => {
  host.answer = answer;
  const page = await user.get(appWithId(clientId, redirectUri).address());
  expect([page.status, page.location]).toEqual([400, null]);
  expect(page.text).toContain("This app cannot be connected");
  expect(page.html).not.toMatch(/s3cret|evil|other\.example|169\.254/);
});

test("no document is fetched before somebody is signed in with a confirmed address", async () => {
  expect((await new User(service).get(app.address())).status).toBe(303);
  const { user: unproven } = await signedIn(service, { verified: false });
  expect((await unproven.get(app.address())).status).toBe(403);
  expect(host.asked).toEqual([]);
});

test("400: with documents switched off, their addresses are unknown clients", async () => {
  const { user: here } = await signedIn(without);
  const page = await here.get(app.address());
  expect(page.status).toBe(400);
  expect(page.text).toContain("not registered here");
  expect(host.asked).toEqual([]);
});

test("429: 30 documents in 10 minutes for one account", async () => {
  const { user: curious } = await signedIn(service);
  host.answer = sends("", {}, 404);
  const ask = (i: number) => curious.get(appWithId(host.url(`/${i}`), app.redirectUri).address());
  for (let i = 0; i < 30; i++) expect((await ask(i)).status).toBe(400);
  const page = await ask(30);
  expect(page.status).toBe(429);
  expect(Number(page.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(page.text).toContain("Too many apps were looked up");
  expect(host.asked).toHaveLength(30);
});
