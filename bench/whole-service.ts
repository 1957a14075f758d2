import type { AddressInfo } from "node:net";
import { createAccount } from "../src/domain/accounts/accounts.ts";
import { createKey } from "../src/domain/credentials/keys.ts";
import { bookSandboxOrder } from "../src/domain/payments/cards/sandbox/book-order.ts";
import { PACKS } from "../src/domain/payments/orders/packs.ts";
import { NO_PAYMENTS } from "../src/domain/payments/payments.ts";
import { Mutex } from "../src/platform/concurrency.ts";
import { readConfig } from "../src/platform/config/config.ts";
import { createHttpClient } from "../src/platform/http-client/http-client.ts";
import { createApp } from "../src/process/app.ts";
import { bulkExecutor } from "../src/process/bulk/executor.ts";
import { openInstance } from "../src/process/instance.ts";
import { createLog } from "../src/process/log.ts";

/**
 * Serves every door on a port of its own, with an account that can spend. Without the checker, which would start on each
 * project immediately and has a benchmark of its own.
 */
export async function serveWholeService(
  databaseUrl: string,
): Promise<{ readonly address: string; readonly key: string }> {
  const lock = new Mutex();
  const settings = readConfig({ PORT: "0", DATABASE_URL: databaseUrl });
  const instance = await openInstance(settings, { migrates: true, lock, checkpointPages: 20_000 });
  const services = { ...instance, http: createHttpClient(settings), payments: NO_PAYMENTS };
  const executor = bulkExecutor(services, lock);
  const log = createLog({ logLevel: "silent" });
  const server = createApp({ ...services, log, mailer: { queue: async () => undefined }, executor });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const key = await services.db.tx(async (tx) => {
    const now = Date.now();
    const { id } = await createAccount(tx, { email: "bench@example.com", now });
    await bookSandboxOrder(tx, { accountId: id, pack: PACKS[0], credits: 100_000_000, now });
    return createKey(tx, { accountId: id, name: "bench", mode: "sandbox", now });
  });
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, key };
}
