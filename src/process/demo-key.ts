import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Tx } from "../../db/engine.ts";
import { accountByEmail, accountById, createAccount } from "../domain/accounts/accounts.ts";
import { createKey, type KeyRow, keysOf, revokeKey } from "../domain/accounts/keys.ts";
import { principalOfKey } from "../domain/auth/identify.ts";
import { bookSandboxOrder } from "../domain/payments/cards/sandbox/book-order.ts";
import { PACKS } from "../domain/payments/orders/prices.ts";
import { DAY } from "../platform/clock.ts";
import type { Config } from "../platform/config/config.ts";
import { SIZES } from "../platform/limits.ts";
import { isLoopbackHost } from "../surfaces/http-server/origin.ts";
import type { Instance } from "./instance.ts";

const EMAIL = "demo@beckon.localhost";
const CREDITS = 10_000;
const NAME = "demo";
/** A key that was used within this time is somebody's, in another folder. */
const IN_USE_MS = DAY;

/**
 * A key to try the service with: only in a sandbox that nobody outside this machine can reach. Kept in
 * `demo-key` beside the database, readable by its owner alone, and reused (docs/rules.md rule 17).
 * @returns null, too, where all the keys that the demo account may have are in use
 */
export async function demoKey(instance: Instance): Promise<{ key: string; email: string; credits: number } | null> {
  const { config, db } = instance;
  if (config.mode !== "sandbox" || !isLoopbackHost(config.host)) return null;
  const file = demoKeyFile(config);
  const kept = await readKept(file);
  const principal = kept === null ? null : await principalOfKey(db, kept);
  if (kept !== null && principal) {
    const { credits } = await accountById(db, principal.accountId);
    return { key: kept, email: EMAIL, credits };
  }
  const made = await makeKey(instance);
  if (made === null) return null;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${made.key}\n`, { mode: 0o600 });
  await chmod(file, 0o600);
  return { ...made, email: EMAIL };
}

export function demoKeyFile({ databaseUrl }: Config): string {
  const folder = databaseUrl.startsWith("file:")
    ? dirname(resolve(databaseUrl.slice("file:".length)))
    : resolve("data");
  return join(folder, "demo-key");
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
    const found = await accountByEmail(tx, EMAIL);
    const { id } = found ?? (await createAccount(tx, { email: EMAIL, name: "Demo", now }));
    if (!found) await bookSandboxOrder(tx, { accountId: id, pack: PACKS[0], credits: CREDITS, now });
    if (!(await makeRoom(tx, id, now))) return null;
    const key = await createKey(tx, { accountId: id, name: NAME, mode: config.mode, now });
    return { key, credits: (await accountById(tx, id)).credits };
  });
}

/**
 * Keys whose file was lost pile up until there is no room for one more: the one that has been idle for longest goes.
 * Those of other folders on the same database look the same, so that none goes that was used lately.
 * @returns whether there is room
 */
async function makeRoom(tx: Tx, accountId: string, now: number): Promise<boolean> {
  const keys = await keysOf(tx, accountId);
  if (keys.length < SIZES.activeKeys) return true;
  const idle = keys.filter(({ name, lastUsedAt }) => name === NAME && now - (lastUsedAt ?? 0) > IN_USE_MS);
  const since = ({ lastUsedAt, createdAt }: KeyRow) => lastUsedAt ?? createdAt;
  // Newest first: of those that are of one moment, the last is the oldest.
  const longest = idle.reverse().sort((a, b) => since(a) - since(b))[0];
  if (!longest) return false;
  await revokeKey(tx, longest.id, now);
  return true;
}
