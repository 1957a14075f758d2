import type { AddressInfo } from "node:net";
import { createAccount } from "../src/domain/accounts/accounts.ts";
import { createKey } from "../src/domain/credentials/keys.ts";
import { NO_PAYMENTS } from "../src/domain/payments/payments.ts";
import { Mutex } from "../src/platform/concurrency.ts";
import { readConfig } from "../src/platform/config/config.ts";
import { createHttpClient } from "../src/platform/http-client/http-client.ts";
import { createApp } from "../src/process/app.ts";
import { bulkExecutor } from "../src/process/bulk/executor.ts";
import { openInstance } from "../src/process/instance.ts";
import { createLog } from "../src/process/log.ts";
import { measured } from "./measured.ts";

/** Several keys, since each is limited to 120 calls a minute. */
const KEYS = 2_000;

/** The service in a process of its own, with durable commits; without the checker, which has a benchmark of its own. */
const settings = readConfig({ PORT: "0", DATABASE_URL: process.argv[2]! });
const lock = new Mutex();
const instance = await openInstance(settings, { migrates: true, lock, checkpointPages: 20_000 });
const services = { ...instance, http: createHttpClient(settings), payments: NO_PAYMENTS };
const executor = bulkExecutor(services, lock);
const log = createLog({ logLevel: "error" });
const server = createApp({ ...services, log, mailer: { queue: async () => undefined }, executor });
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const keys = await services.db.tx(async (tx) => {
  const now = Date.now();
  const made: string[] = [];
  for (let i = 0; i < KEYS; i++) {
    const { id: accountId } = await createAccount(tx, { email: `bench-${i}@example.com`, now });
    made.push(await createKey(tx, { accountId, name: "bench", mode: "sandbox", now }));
  }
  return made;
});
measured({ address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, keys });
