import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Stored } from "../../../../packages/client/src/cli/store.ts";
import { client, userOf } from "../../../support/client/beckon-client.ts";
import { consent } from "../../../support/oauth/consent.ts";
import { eventually } from "../../../support/service/eventually.ts";
import { type TestService, testService } from "../../../support/service/service.ts";
import { signedIn } from "../../../support/website/user.ts";

let service: TestService;
beforeAll(async () => {
  service = await testService({ publishUrl: true });
});
afterAll(() => service.close());

const fileOf = ({ BECKON_CONFIG_DIR }: ReturnType<typeof userOf>) => join(BECKON_CONFIG_DIR!, "client.json");
const stored = (env: ReturnType<typeof userOf>): Stored => JSON.parse(readFileSync(fileOf(env), "utf8"));

/** Signs in by the browser of a user, who decides on what the command asks for. */
async function login(decision: "allow" | "decline" = "allow") {
  const env = { ...userOf(service.url), BECKON_URL: undefined };
  const { user } = await signedIn(service);
  let shown = "";
  const err = (text: string) => {
    shown += text;
  };
  const ended = client(env, ["login", service.url, "--no-browser"], { err });
  const address = await eventually(() => {
    const [found] = /http\S+\/oauth\/authorize\S+/.exec(shown)!;
    return found;
  });
  const answer = await consent(user, address, { decision });
  const page = await fetch(answer);
  return { env, result: await ended, page: await page.text(), answer, shown: () => shown };
}

test("login signs in by the browser, and the commands after it need no address and no key", async () => {
  const { env, result, page } = await login();
  expect(result.code).toBe(0);
  expect(page).toContain("You can close this window");
  expect(result.json()).toMatchObject({
    url: service.url,
    account: { credential: { type: "oauth", scopes: ["read", "index"] } },
  });
  expect(statSync(fileOf(env)).mode & 0o777).toBe(0o600);
  expect((await client(env, ["credits"])).json()).toHaveProperty("account.credits");
});

test("an access token that has ended is renewed once, also for several commands at a time", async () => {
  const { env } = await login();
  const before = stored(env);
  const ended = { ...before.logins![service.url]!, endsAt: 0 };
  writeFileSync(fileOf(env), JSON.stringify({ ...before, logins: { [service.url]: ended } }));
  const results = await Promise.all([1, 2, 3].map(() => client(env, ["call", "get_account"])));
  expect(results.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(stored(env).logins![service.url]).toMatchObject({ kind: "oauth", clientId: expect.any(String) });
  expect(stored(env).logins![service.url]).not.toMatchObject({ refresh: (ended as { refresh?: string }).refresh });
});

test("3 where the user declines, and nothing is stored", async () => {
  const { env, result, shown } = await login("decline");
  expect([result.code, shown()]).toEqual([3, expect.stringContaining("You have declined")]);
  expect((await client(env, ["credits"])).code).toBe(2);
});

test("logout forgets the sign-in, and the service does too", async () => {
  const { env } = await login();
  const { access } = stored(env).logins![service.url] as { access: string };
  expect((await client(env, ["logout"])).code).toBe(0);
  expect(stored(env).logins).toEqual({});
  expect((await client({ ...env, BECKON_API_KEY: access }, ["credits"])).code).toBe(3);
});

test("login --key stores a key from standard input once the service has taken it", async () => {
  const env = { ...userOf(service.url), BECKON_URL: undefined };
  const { key } = await service.account();
  const login = (text: string) => client(env, ["login", service.url, "--key"], { stdin: Buffer.from(text) });
  expect((await login("bk_test_wrong\n")).code).toBe(3);
  expect((await login("\n")).code).toBe(2);
  expect((await login(`\ufeff${key}\r\n`)).code).toBe(0);
  expect((await client(env, ["status"])).code).toBe(0);
});

test("a damaged file of sign-ins is named", async () => {
  const env = { ...userOf(service.url), BECKON_URL: undefined };
  writeFileSync(fileOf(env), "{");
  const { code, err } = await client(env, ["credits"]);
  expect([code, err]).toEqual([1, expect.stringContaining("client.json is damaged")]);
});
