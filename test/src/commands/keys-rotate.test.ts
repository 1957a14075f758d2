import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { currentKey, jwksOf } from "../../../src/domain/oauth/signing-keys.ts";
import { readConfig } from "../../../src/platform/config/config.ts";
import { openInstance } from "../../../src/process/instance.ts";
import { beckon, scratchFolder } from "../../support/service/cli.ts";

test("keys rotate: the new key signs, the old one stays published, and no private key is printed", async () => {
  const env = { DATABASE_URL: `file:${join(scratchFolder(), "test.db")}` };
  await beckon(env, "migrate");
  const first = await beckon(env, "keys", "rotate", "--json");
  expect(first).toMatchObject({ code: 0, json: { kid: expect.stringMatching(/^[\w-]{43}$/), retired: [] } });
  const second = await beckon(env, "keys", "rotate", "--json");
  expect(second.json).toEqual({ kid: expect.not.stringMatching(first.json.kid), retired: [first.json.kid] });

  const { db, clock } = await openInstance(readConfig(env));
  onTestFinished(() => db.close());
  const { kid, jwk } = await currentKey(db, clock.now());
  expect(kid).toBe(second.json.kid);
  const published = (await jwksOf(db, clock.now())).keys.map((key) => key.kid);
  expect(published.sort()).toEqual([first.json.kid, second.json.kid].sort());
  expect(second.out).not.toContain(jwk.d!);
});

test("keys rotate: without --json it prints both in sentences", async () => {
  const env = { DATABASE_URL: `file:${join(scratchFolder(), "test.db")}` };
  await beckon(env, "migrate");
  const { json } = await beckon(env, "keys", "rotate", "--json");
  const { out } = await beckon(env, "keys", "rotate");
  expect(out).toMatch(new RegExp(`^Signs now {3}[\\w-]{43}\\nRetired {5}${json.kid}\\n$`));
});
