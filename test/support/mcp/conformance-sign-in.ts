import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { NO_PAYMENTS } from "../../../src/domain/payments/payments.ts";
import { readConfig } from "../../../src/platform/config/config.ts";
import { secretBoxOf } from "../../../src/platform/config/secrets-key.ts";
import { createHttpClient } from "../../../src/platform/http-client/http-client.ts";
import { createApp } from "../../../src/process/app.ts";
import { openInstance } from "../../../src/process/instance.ts";
import { consent, signUp } from "../oauth/consent.ts";
import { outboxOver } from "../service/outbox.ts";
import { User } from "../website/user.ts";

/**
 * The product as the authorization server that `npm run conformance` tests, with a user who signs up, opens each address
 * that arrives as a line, consents, and follows the redirect to the client. Prints its issuer, and exits when its standard
 * input ends.
 */
const server = createServer().listen(0, "127.0.0.1");
await once(server, "listening");
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const folder = mkdtempSync(join(tmpdir(), "beckon-conformance-"));
const config = readConfig({ SITE_URL: issuer, DATABASE_URL: `file:${join(folder, "conformance.db")}` });
const instance = await openInstance(config, { migrates: true });
const log = { error: (fields: object) => process.stderr.write(`${JSON.stringify(fields)}\n`) };
const { db, mailer, outbox } = outboxOver(instance.db, {
  secretBox: secretBoxOf(config),
  now: () => instance.clock.now(),
});
createApp({ ...instance, db, http: createHttpClient(config), payments: NO_PAYMENTS, log, mailer, server });

const user = new User({ url: issuer });
await signUp(user, outbox, { email: "suite@example.com" });
process.stdout.write(`${issuer}\n`);

for await (const address of createInterface(process.stdin)) {
  const answer = await consent(user, address);
  await fetch(answer, { signal: AbortSignal.timeout(10_000) });
}
server.closeAllConnections();
server.close();
await once(server, "close");
await instance.db.close();
rmSync(folder, { recursive: true });
