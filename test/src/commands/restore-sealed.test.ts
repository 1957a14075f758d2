import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { accountIn, beckon, scratchFolder } from "../../support/service/cli.ts";
import { sealIn } from "../../support/website/factors.ts";

test("sealed secrets that the present key cannot open are counted, with what to do; the right key opens them", async () => {
  const [right, other] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString("base64"));
  const folder = scratchFolder();
  const env = { DATABASE_URL: `file:${join(folder, "test.db")}` };
  const from = await sealedBackup(right!);
  const restore = (key: string | undefined, ...more: string[]) =>
    beckon({ ...env, ...(key ? { SECRETS_KEY: key } : {}) }, "restore", "--from", from, "--force", ...more);
  const wrong = await restore(other);
  expect(wrong.code).toBe(0);
  expect(wrong.out).toMatch(
    /^1 of 1 sealed secret cannot be opened with the present key: authenticator_apps per_\w+: /m,
  );
  expect(wrong.out).toContain(
    "Before you start the service, set SECRETS_KEY to the key that sealed them, or put the file",
  );
  expect((await restore(other, "--json")).json.sealed).toEqual({ total: 1, unreadable: 1 });
  expect((await restore(undefined, "--json")).json.sealed).toEqual({ total: 1, unreadable: 1 });
  // No key was made, so that the right one can be put there.
  expect(existsSync(join(folder, "secrets-key"))).toBe(false);
  expect((await restore(right)).out).toContain("1 sealed secret can be opened with the present key.");
});

/** A backup of a service in which an account has an authenticator app. */
async function sealedBackup(key: string): Promise<string> {
  const file = join(scratchFolder(), "sealed.db");
  const own = { DATABASE_URL: `file:${file}`, SECRETS_KEY: key };
  const { json } = await accountIn(own, "--email", "eve@example.com", "--json");
  await sealIn(own, json.account.id);
  const made = `${file}.backup`;
  expect((await beckon(own, "backup", "--to", made)).code).toBe(0);
  return made;
}
