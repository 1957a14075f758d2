import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Tx } from "../../db/engine.ts";
import { accountByEmail, accountById, createAccount } from "../domain/accounts/accounts.ts";
import { principalOfKey } from "../domain/credentials/identify.ts";
import { createKey, hasEnded, type KeyRow, keysOf, revokeKey } from "../domain/credentials/keys.ts";
import { bookSandboxOrder } from "../domain/payments/cards/sandbox/book-order.ts";
import { createSignInLink, DEMO_EMAIL } from "../domain/users/sign-in-links.ts";
import { DAY } from "../platform/clock.ts";
import type { Config } from "../platform/config/config.ts";
import { hasDemoAccount } from "../platform/config/local.ts";
import { besideDatabase } from "../platform/config/secrets-key.ts";
import { SIZES } from "../platform/sizes.ts";
import type { Instance } from "./instance.ts";

const CREDITS = 10_000;
const NAME = "demo";
/** A key that was used within this time counts as in use by another folder on the same database. */
const IN_USE_MS = DAY;

/**
 * The API key of the demo account. It exists only in a sandbox that listens on this machine alone. The key is in the
 * file `demo-key` in the folder of the database, readable by its owner alone, and is used again (docs/rules.md rule
 * 17).
 * @returns null if there is no demo account, or the account's limit of keys is reached
 */
export async function demoKey(instance: Instance): Promise<{ key: string; email: string; credits: number } | null> {
  const { config, db } = instance;
  if (!hasDemoAccount(config)) return null;
  const file = demoKeyFile(config);
  const kept = await readKept(file);
  const principal = kept === null ? null : await principalOfKey(db, kept, instance.clock.now());
  if (kept !== null && principal) {
    const { credits } = await accountById(db, principal.accountId);
    return { key: kept, email: DEMO_EMAIL, credits };
  }
  const made = await makeKey(instance);
  if (made === null) return null;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${made.key}\n`, { mode: 0o600 });
  await chmod(file, 0o600);
  return { ...made, email: DEMO_EMAIL };
}

/**
 * The address of a page that signs a browser in to the demo account. It works once, within an hour, and until the
 * next one is made.
 * @returns null if there is no demo account
 */
export async function demoSignInUrl({ config, db, clock }: Instance): Promise<string | null> {
  if (!hasDemoAccount(config)) return null;
  const link = await db.tx((tx) => createSignInLink(tx, { kind: "demo", email: DEMO_EMAIL, now: clock.now() }));
  return `${config.siteUrl}/sign-in/demo?${new URLSearchParams({ link })}`;
}

export function demoKeyFile(config: Config): string {
  return besideDatabase(config, "demo-key");
}

async function readKept(file: string): Promise<string | null> {
  try {
    return (await readFile(file, "utf8")).trim();
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw thrown;
  }
}

async function makeKey({ db, clock, config }: Instance): Promise<{ key: string; credits: number } | null> {
  const now = clock.now();
  return db.tx(async (tx) => {
    const found = await accountByEmail(tx, DEMO_EMAIL);
    const { id } = found ?? (await createAccount(tx, { email: DEMO_EMAIL, name: "Demo", now }));
    if (!found) await bookSandboxOrder(tx, { accountId: id, pack: config.packs[0]!, credits: CREDITS, now });
    if (!(await makeRoom(tx, id, now))) return null;
    const key = await createKey(tx, { accountId: id, name: NAME, mode: config.mode, now });
    return { key, credits: (await accountById(tx, id)).credits };
  });
}

/**
 * Makes room for one more key when keys whose file was lost have reached the limit: it revokes the key that has been
 * idle longest. Keys of other folders on the same database look the same, so keys that were used in the last day are
 * kept.
 * @returns whether there is room
 */
async function makeRoom(tx: Tx, accountId: string, now: number): Promise<boolean> {
  const keys = (await keysOf(tx, accountId)).filter((key) => !hasEnded(key, now));
  if (keys.length < SIZES.activeKeys) return true;
  const idle = keys.filter(({ name, lastUsedAt }) => name === NAME && now - (lastUsedAt ?? 0) > IN_USE_MS);
  const since = ({ lastUsedAt, createdAt }: KeyRow) => lastUsedAt ?? createdAt;
  // keysOf lists the newest first. Of keys with the same time, the last is therefore the oldest.
  const longest = idle.reverse().sort((a, b) => since(a) - since(b))[0];
  if (!longest) return false;
  await revokeKey(tx, longest.id, now);
  return true;
}
