import { join } from "node:path";
import { expect, test } from "vitest";
import { rawQuery } from "../../support/database/raw-query.ts";
import { accountIn, beckon, scratchFolder } from "../../support/service/cli.ts";

const LINE = ["sign-in-link", "--email", "ann@example.com"];

async function database() {
  const env = { DATABASE_URL: `file:${join(scratchFolder(), "test.db")}` };
  await accountIn(env, "--email", "ann@example.com");
  return env;
}

/** What the security log says of links. */
const recorded = (url: string) =>
  rawQuery<{ subject: string }>(url, "SELECT subject FROM security_events WHERE kind = 'sign_in_link_made'");

test("exit 1: PORT is 0, so that a link would lead nowhere; asks for SITE_URL, and nothing is written", async () => {
  const env = await database();
  const { code, out, err } = await beckon({ ...env, PORT: "0" }, ...LINE);
  expect([code, out, err]).toEqual([
    1,
    "",
    "beckon: PORT is 0, so the address of the service is not known: set SITE_URL.\n",
  ]);
  expect(await recorded(env.DATABASE_URL)).toEqual([]);
});

test.each([
  [{ PORT: "8000" }, "http://localhost:8000"],
  [{ PORT: "0", SITE_URL: "https://beckon.example" }, "https://beckon.example"],
])("exit 0 with %j: prints a link to %s, and the security log says so", async (settings, site) => {
  const env = await database();
  const { code, json } = await beckon({ ...env, ...settings }, ...LINE, "--json");
  expect([code, json.url.startsWith(`${site}/sign-in/link?link=`)]).toEqual([0, true]);
  expect(await recorded(env.DATABASE_URL)).toEqual([{ subject: "By the operator" }]);
});
