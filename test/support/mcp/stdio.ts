import { fileURLToPath } from "node:url";
import { createAccount } from "../../../src/domain/accounts/accounts.ts";
import { createKey, revokeKey } from "../../../src/domain/credentials/keys.ts";
import { bookSandboxOrder } from "../../../src/domain/payments/cards/sandbox/book-order.ts";
import { PACKS } from "../../../src/domain/payments/orders/packs.ts";
import { readConfig } from "../../../src/platform/config/config.ts";
import { type Instance, openInstance } from "../../../src/process/instance.ts";
import { testDatabase } from "../database/database.ts";
import { PROGRAM } from "../service/beckon-command.ts";
import type { Command } from "./clients.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** The command `beckon mcp`, as an agent's host starts it, with these settings. */
export function beckonMcp(env: Record<string, string>): Command {
  const { PATH = "" } = process.env;
  return {
    command: process.execPath,
    args: [...PROGRAM, "mcp"],
    cwd: ROOT,
    env: { PATH, ...env },
  };
}

/** Creates a database with a paid account, which `beckon mcp` can open too. */
export async function localDatabase() {
  const database = await testDatabase();
  const env = { DATABASE_URL: database.url };
  const instance = await openInstance(readConfig(env));
  const key = await instance.db.tx(async (tx) => {
    const now = Date.now();
    const { id } = await createAccount(tx, { email: "agent@example.com", now });
    await bookSandboxOrder(tx, { accountId: id, pack: PACKS[0], now });
    return createKey(tx, { accountId: id, name: "test", mode: "sandbox", now });
  });
  return {
    env: { ...env, BECKON_API_KEY: key },
    revoke: () => revokeAll(instance),
    async close() {
      await instance.db.close();
      await database.drop();
    },
  };
}

async function revokeAll({ db }: Instance): Promise<void> {
  for (const { id } of await db.q.select().from(db.t.apiKeys)) await db.tx((tx) => revokeKey(tx, id, Date.now()));
}
