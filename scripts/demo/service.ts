import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAccount } from "../../src/domain/accounts/accounts.ts";
import { createKey } from "../../src/domain/credentials/keys.ts";
import { bookSandboxOrder } from "../../src/domain/payments/cards/sandbox/book-order.ts";
import { PACKS } from "../../src/domain/payments/orders/packs.ts";
import { readConfig } from "../../src/platform/config/config.ts";
import { createLog } from "../../src/process/log.ts";
import { type Service, startService } from "../../src/process/service.ts";

/** Service seconds in a real one: sixteen days in twenty seconds. */
const TIME_SCALE = (16 * 24 * 3600) / 20;

export interface ThrowAway {
  readonly service: Service;
  readonly key: string;
  end(): Promise<void>;
}

/** A sandbox of its own in a temporary folder, on a free port, with an account that holds `credits`. */
export async function throwAwayService(credits: number): Promise<ThrowAway> {
  const folder = await mkdtemp(join(tmpdir(), "beckon-demo-"));
  const config = readConfig({
    DATABASE_URL: `file:${join(folder, "demo.db")}`,
    PORT: "0",
    TIME_SCALE: String(TIME_SCALE),
    LOG_LEVEL: "error",
  });
  const service = await startService(config, createLog(config));
  const { db, clock } = service.instance;
  const now = clock.now();
  const key = await db.tx(async (tx) => {
    const { id } = await createAccount(tx, { email: "demo@beckon.localhost", now });
    await bookSandboxOrder(tx, { accountId: id, pack: PACKS[0], credits, now });
    return createKey(tx, { accountId: id, name: "demo", mode: "sandbox", now });
  });
  return {
    service,
    key,
    async end() {
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
