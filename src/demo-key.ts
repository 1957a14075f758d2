import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { accountByEmail, accountById, createAccount } from "./accounts/accounts.ts";
import { activeKeys, createKey, revokeKey } from "./accounts/keys.ts";
import { principalOfKey } from "./auth/identify.ts";
import type { Config } from "./config.ts";
import type { Instance } from "./instance.ts";
import { SIZES } from "./limits/table.ts";
import { bookSandboxOrder } from "./payments/orders.ts";
import { PACKS } from "./payments/prices.ts";
import { isLoopback } from "./web/origin.ts";

const EMAIL = "demo@beckon.localhost";
const CREDITS = 10_000;

/**
 * A key to try the service with: only in a sandbox that nobody outside this machine can reach. Kept in
 * `demo-key` beside the database, readable by its owner alone, and reused (decisions.md rule 17).
 */
export async function demoKey(instance: Instance): Promise<{ key: string; email: string; credits: number } | null> {
  const { config, db } = instance;
  if (config.mode !== "sandbox" || !isLoopback(config.host)) return null;
  const file = demoKeyFile(config);
  const kept = await readKept(file);
  const principal = kept === null ? null : await principalOfKey(db, kept);
  if (kept !== null && principal) {
    const { credits } = await accountById(db, principal.accountId);
    return { key: kept, email: EMAIL, credits };
  }
  const made = await makeKey(instance);
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

async function makeKey({ db, clock, config }: Instance): Promise<{ key: string; credits: number }> {
  const now = clock.now();
  return db.tx(async (tx) => {
    const found = await accountByEmail(tx, EMAIL);
    const { id } = found ?? (await createAccount(tx, { email: EMAIL, name: "Demo", now }));
    if (!found) await bookSandboxOrder(tx, { accountId: id, pack: PACKS[0], credits: CREDITS, now });
    // Keys whose file was lost pile up until there is no room for one more.
    const lost = await activeKeys(tx, id);
    if (lost.length >= SIZES.activeKeys) for (const keyId of lost) await revokeKey(tx, keyId, now);
    const key = await createKey(tx, { accountId: id, name: "demo", mode: config.mode, now });
    return { key, credits: (await accountById(tx, id)).credits };
  });
}
