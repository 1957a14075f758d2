import { randomUUID } from "node:crypto";
import type { Engine } from "../../../db/engine.ts";
import { createAccount } from "../../../src/domain/accounts/accounts.ts";
import { createKey } from "../../../src/domain/credentials/keys.ts";
import { bookSandboxOrder } from "../../../src/domain/payments/cards/sandbox/book-order.ts";
import { PACKS } from "../../../src/domain/payments/orders/packs.ts";

export interface ChaosAccount {
  readonly id: string;
  readonly keys: readonly string[];
  /** Credits at the start. */
  readonly credits: number;
}

/** Opens a paid account with several keys, which share the rate limits of the account. */
export async function openAccount(db: Engine, credits: number, keyCount = 1): Promise<ChaosAccount> {
  const now = Date.now();
  return db.tx(async (tx) => {
    const { id } = await createAccount(tx, { email: `${randomUUID()}@example.com`, now });
    await bookSandboxOrder(tx, { accountId: id, pack: PACKS[0], credits, now });
    const keys: string[] = [];
    for (let key = 0; key < keyCount; key++) {
      keys.push(await createKey(tx, { accountId: id, name: `key ${key}`, mode: "sandbox", now }));
    }
    return { id, keys, credits };
  });
}
