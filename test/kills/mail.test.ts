import { once } from "node:events";
import { afterAll, expect, test } from "vitest";
import { openDatabase } from "../../db/open.ts";
import { createAccount } from "../../src/domain/accounts/accounts.ts";
import { killableServices } from "../support/kills/killable-service.ts";
import { mailServer, parseMessage } from "../support/network/smtp.ts";
import { eventually } from "../support/service/eventually.ts";
import { User } from "../support/website/user.ts";

/** Each at another moment: after so many mails have arrived, or requests were acknowledged. */
const KILLS = [
  { mails: 0, acknowledged: 1 },
  { mails: 1, acknowledged: 0 },
  { mails: 2, acknowledged: 0 },
  { mails: 0, acknowledged: 3 },
] as const;

/** Links to set a new password that each process is asked for at once; more than 20 an hour are refused. */
const REQUESTS = 4;

const mail = await mailServer();
afterAll(() => mail.close());
const { serve, databaseUrl } = await killableServices({ MAIL: `smtp://127.0.0.1:${mail.port}` });

test(`law: ${KILLS.length} kills between commit, sending and noting lose no mail that a request was promised`, {
  timeout: 200_000,
}, async () => {
  await openAccounts();
  const acknowledged: string[] = [];
  for (const [kill, target] of KILLS.entries()) {
    const service = await serve();
    const before = { mails: mail.received.length, acknowledged: acknowledged.length };
    const requestReset = async (n: number) => {
      const email = `kill${kill}.${n}@example.com`;
      const user = new User({ url: service.address });
      const sent = await user.submit(await user.get("/forgot"), { email }, "/forgot");
      if (sent.status === 303) acknowledged.push(email);
    };
    // Those that the kill interrupts are not acknowledged.
    const requests = Promise.allSettled(Array.from({ length: REQUESTS }, (_, n) => requestReset(n)));
    await eventually(() => {
      expect(mail.received.length).toBeGreaterThanOrEqual(before.mails + target.mails);
      expect(acknowledged.length).toBeGreaterThanOrEqual(before.acknowledged + target.acknowledged);
    });
    service.process.kill("SIGKILL");
    await Promise.all([requests, once(service.process, "exit")]);
  }
  expect(acknowledged.length).toBeGreaterThanOrEqual(KILLS.length);

  await endLeases();
  const service = await serve();
  const arrived = () => new Set(mail.received.flatMap(({ to }) => to));
  await eventually(() => expect([...arrived()]).toEqual(expect.arrayContaining(acknowledged)));
  service.process.kill("SIGTERM");
  await once(service.process, "exit");
  // What came twice has one Message-ID.
  const ids = mail.received.map(({ raw }) => new Map(parseMessage(raw).headers).get("Message-ID"));
  expect(new Set(ids).size).toBe(arrived().size);
});

async function openAccounts(): Promise<void> {
  const db = await openDatabase(databaseUrl);
  for (const kill of KILLS.keys())
    for (let n = 0; n < REQUESTS; n++)
      await db.tx((tx) => createAccount(tx, { email: `kill${kill}.${n}@example.com`, now: Date.now() }));
  await db.close();
}

/** Ends the leases of the mails that the killed processes were sending, as five minutes would. */
async function endLeases(): Promise<void> {
  const db = await openDatabase(databaseUrl);
  await db.tx(async ({ q, t: { mailQueue } }) => void (await q.update(mailQueue).set({ nextAt: 0 })));
  await db.close();
}
