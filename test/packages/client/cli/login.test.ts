import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Stored } from "../../../../packages/client/src/cli/store.ts";
import { CLIENT, client, userOf } from "../../../support/client/beckon-client.ts";
import { consent } from "../../../support/oauth/consent.ts";
import { scratchFolder } from "../../../support/service/cli.ts";
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

test("exit 3 where the user declines, and nothing is stored", async () => {
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

test("exit 0 logout: says that one was not signed in, and that a key in the environment is still used", async () => {
  const { key } = await service.account();
  const env = userOf(service.url);
  const text = async (more: object = {}) => (await client({ ...env, ...more }, ["logout", "--text"])).out;
  const still = "BECKON_API_KEY is set: commands still use this key.\n";
  expect(await text()).toBe(`You were not signed in to ${service.url}.\n`);
  expect(await text({ BECKON_API_KEY: key })).toBe(`You were not signed in to ${service.url}.\n${still}`);
  await client(env, ["login", service.url, "--key"], { stdin: Buffer.from(key) });
  expect(await text({ BECKON_API_KEY: key })).toBe(`Signed out of ${service.url}.\n${still}`);
  const { code, json } = await client(env, ["logout"]);
  expect([code, json()]).toEqual([0, { url: service.url, was_signed_in: false, key_is_set: false }]);
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

test("login --key in a terminal does not show what is typed, and takes back what is deleted", async () => {
  const { key } = await service.account();
  const env = { ...userOf(service.url), BECKON_URL: undefined };
  const typed = (text: string) => {
    const shown: boolean[] = [];
    const hideTyping = (isHidden: boolean) => void shown.push(!isHidden);
    const args = ["login", service.url, "--key"];
    return client(env, args, { stdin: Buffer.from(text), isInputTerminal: true, hideTyping }).then((result) => ({
      ...result,
      shown,
    }));
  };
  for (const keys of [`${key}\r`, `${key}xx\x7f\b\n`]) {
    const { code, out, err, shown } = await typed(keys);
    expect([code, shown]).toEqual([0, [false, true]]);
    expect(out + err).not.toContain(key);
  }
  for (const ending of ["\x03", "\x04", ""]) {
    const { code, err, shown } = await typed(`bk_test_a b${ending}`);
    expect([code, shown, err]).toEqual([2, [false, true], expect.stringContaining("Nothing was stored")]);
  }
});

test("a pseudo-terminal shows a prompt and no key", async () => {
  const { key } = await service.account();
  const command = `${process.execPath} ${CLIENT.join(" ")} login ${service.url} --key`;
  const env = { PATH: process.env.PATH!, BECKON_CONFIG_DIR: scratchFolder() };
  const child = spawn("script", ["-qec", command, "/dev/null"], { env });
  let seen = "";
  child.stdout.setEncoding("utf8").on("data", (text) => {
    // Typed once the prompt is there, as a person does.
    if (!seen.includes("not shown") && (seen + text).includes("not shown")) child.stdin.write(`${key}\r`);
    seen += text;
  });
  const [code] = await once(child, "close");
  expect([code, seen]).toEqual([0, expect.stringContaining("Signed in to")]);
  expect(seen).not.toContain(key);
});

test("a damaged file of sign-ins is named", async () => {
  const env = { ...userOf(service.url), BECKON_URL: undefined };
  writeFileSync(fileOf(env), "{");
  const { code, err } = await client(env, ["credits"]);
  expect([code, err]).toEqual([1, expect.stringContaining("client.json is damaged")]);
});
