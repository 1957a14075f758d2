import { afterAll, expect, test } from "vitest";
import { createAccount } from "../../src/domain/accounts/accounts.ts";
import { sampleOf } from "../support/checks/fuzz-runs.ts";
import { endLeases } from "../support/kills/killable-service.ts";
import { testKillable } from "../support/kills/test-killable.ts";
import { mailServer, parseMessage } from "../support/network/smtp.ts";
import { eventually } from "../support/service/eventually.ts";
import { User } from "../support/website/user.ts";

/** Each at another moment: after so many mails have arrived, or requests were acknowledged. */
const KILLS = sampleOf(
  [
    { mails: 0, acknowledged: 1 },
    { mails: 1, acknowledged: 0 },
    { mails: 2, acknowledged: 0 },
    { mails: 0, acknowledged: 3 },
  ],
  2,
);

/** Links to set a new password that each process is asked for at once; more than 20 an hour are refused. */
const REQUESTS = 4;

const mail = await mailServer();
afterAll(() => mail.close());
const { service, db } = await testKillable({ MAIL: `smtp://127.0.0.1:${mail.port}` });

test(`law: ${KILLS.length} kills between commit, sending and noting lose no mail that a request was promised`, {
  timeout: 200_000,
}, async () => {
  await openAccounts();
  const acknowledged: string[] = [];
  for (const [kill, target] of KILLS.entries()) {
    const before = { mails: mail.received.length, acknowledged: acknowledged.length };
    const hasCome = await service.live(({ address }) => {
      const requestReset = async (n: number) => {
        const email = `kill${kill}.${n}@example.com`;
        const user = new User({ url: address });
        const sent = await user.submit(await user.get("/forgot"), { email }, "/forgot");
        if (sent.status === 303) acknowledged.push(email);
      };
      return {
        // Those that the kill interrupts are not acknowledged.
        work: Promise.allSettled(Array.from({ length: REQUESTS }, (_, n) => requestReset(n))),
        isReached: () =>
          mail.received.length >= before.mails + target.mails &&
          acknowledged.length >= before.acknowledged + target.acknowledged,
      };
    });
    expect(hasCome).toBe(true);
  }
  expect(acknowledged.length).toBeGreaterThanOrEqual(KILLS.length);

  await endLeases(db);
  const { stop } = await service.start();
  const arrived = () => new Set(mail.received.flatMap(({ to }) => to));
  await eventually(() => expect([...arrived()]).toEqual(expect.arrayContaining(acknowledged)));
  await stop();
  // What came twice has one Message-ID.
  const ids = mail.received.map(({ raw }) => new Map(parseMessage(raw).headers).get("Message-ID"));
  expect(new Set(ids).size).toBe(arrived().size);
});

async function openAccounts(): Promise<void> {
  for (const kill of KILLS.keys())
    for (let n = 0; n < REQUESTS; n++)
      await db.tx((tx) => createAccount(tx, { email: `kill${kill}.${n}@example.com`, now: Date.now() }));
}
