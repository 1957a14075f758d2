import { expect, test } from "vitest";
import { MailFailure } from "../../../../src/domain/mail/failure.ts";
import type { QueuedMail } from "../../../../src/domain/mail/mailer.ts";
import { MailQueue } from "../../../../src/domain/mail/queue.ts";
import { MailSender, type SenderOptions } from "../../../../src/domain/mail/sender.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../../../src/platform/clock.ts";
import { SecretBox } from "../../../../src/platform/secret-box.ts";
import { testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";
import { eventually } from "../../../support/service/eventually.ts";

const store = eachTest(testStore);

const MAIL = { to: "ann@example.com", subject: "Hello", text: "https://beckon.test/confirm?link=lnk_secret\n" };
const secretBox = new SecretBox(() => [Buffer.alloc(32, 1)]);
const now = () => store.clock.now();
const waiting = () => store.db.q.select().from(store.db.t.mailQueue);
const down = () => Promise.reject(new MailFailure("down", "ECONNREFUSED", false));

/** A sender whose transport does what the test says, with what it logs. */
function senderBy(deliver: (mail: QueuedMail) => Promise<void>, options?: Partial<SenderOptions>, box = secretBox) {
  const logged: object[] = [];
  const transport = { deliver, check: async () => "" };
  const log = { error: (fields: object, message: string) => void logged.push({ ...fields, message }) };
  return { sender: new MailSender({ db: store.db, transport, secretBox: box, now, log }, options), logged };
}

/** Queues mails in one transaction. */
async function queue(mails: readonly (typeof MAIL | null)[] = [MAIL]): Promise<void> {
  const mailer = new MailQueue({ secretBox, now, onQueued: () => undefined });
  await store.db.tx(async (tx) => {
    for (const mail of mails) await mailer.queue(tx, mail);
  });
}

/** Deliveries that end when they are told to. */
function held() {
  const ends: { id: string; done: () => void; fail: (thrown: Error) => void }[] = [];
  const deliver = ({ id }: QueuedMail) => new Promise<void>((done, fail) => ends.push({ id, done, fail }));
  return { ends, deliver };
}

test("law: mail of a transaction is sent once it is committed, in order, and not if it is rolled back", async () => {
  const sent: QueuedMail[] = [];
  const { sender, logged } = senderBy(async (mail) => void sent.push(mail), { concurrency: 1 });
  let wakes = 0;
  const mailer = new MailQueue({ secretBox, now, onQueued: () => void wakes++ });
  const failing = store.db.tx(async (tx) => {
    await mailer.queue(tx, MAIL);
    throw new Error("rolled back");
  });
  await expect(failing).rejects.toThrow("rolled back");
  await store.db.tx(async (tx) => {
    for (let n = 0; n < 12; n++) await mailer.queue(tx, { ...MAIL, subject: `No ${n}` });
    expect(wakes).toBe(0);
  });
  expect(wakes).toBe(12);
  await sender.drain();
  expect(sent.map(({ subject }) => subject)).toEqual(Array.from({ length: 12 }, (_, n) => `No ${n}`));
  expect(new Set(sent.map(({ id }) => id)).size).toBe(12);
  expect([await waiting(), logged]).toEqual([[], []]);
});

test("law: neither the recipient nor any part of the message stands in the database", async () => {
  // What is sealed is base64url: it may have any three letters, and no "@".
  await queue();
  expect(JSON.stringify(await waiting())).not.toMatch(/ann@|Hello|lnk_|beckon\.test/);
});

test("a mail belongs to the person who has its address", async () => {
  await store.account(0);
  const [person] = await store.db.q.select().from(store.db.t.people);
  await queue([{ ...MAIL, to: person!.email }]);
  await queue();
  expect((await waiting()).map(({ personId }) => personId)).toEqual([person!.id, null]);
});

test("a mail to nobody is written, and sent to nobody", async () => {
  const { ends, deliver } = held();
  const { sender, logged } = senderBy(deliver);
  await queue([null]);
  const [row] = await waiting();
  expect(row!.sealedMail.length).toBeGreaterThan(600);
  await sender.drain();
  expect([ends, logged, await waiting()]).toEqual([[], [], []]);
});

test("law: of two processes each mail is sent by one", async () => {
  const sent: string[] = [];
  const [one, two] = [0, 1].map(() => senderBy(async ({ id }) => void sent.push(id)));
  await queue(Array(40).fill(MAIL));
  await Promise.all([one!.sender.drain(), two!.sender.drain()]);
  expect([sent.length, new Set(sent).size]).toEqual([40, 40]);
  expect([...one!.logged, ...two!.logged, ...(await waiting())]).toEqual([]);
});

test("law: a mail whose process ends while it is sent is sent by another one after five minutes, with the same id", async () => {
  const { ends, deliver } = held();
  const first = senderBy(deliver);
  await queue();
  first.sender.wake();
  await eventually(() => expect(ends).toHaveLength(1));
  const sent: string[] = [];
  const other = senderBy(async ({ id }) => void sent.push(id));
  store.clock.pass(5 * MINUTE - 1);
  await other.sender.drain();
  expect(sent).toEqual([]);
  store.clock.pass(1);
  await other.sender.drain();
  expect([sent, await waiting()]).toEqual([[ends[0]!.id], []]);
});

test("an outcome that comes after the lease has ended changes nothing", async () => {
  const { ends, deliver } = held();
  const { sender: late, logged } = senderBy(deliver);
  await queue();
  late.wake();
  await eventually(() => expect(ends).toHaveLength(1));
  store.clock.pass(5 * MINUTE);
  const other = held();
  const second = senderBy(other.deliver);
  second.sender.wake();
  await eventually(() => expect(other.ends).toHaveLength(1));
  ends[0]!.done();
  await late.stop();
  expect([(await waiting()).length, logged]).toEqual([1, []]);
  other.ends[0]!.done();
  await second.sender.stop();
  expect(await waiting()).toEqual([]);
});

test("sends four at once, and the next when one ends", async () => {
  const { ends, deliver } = held();
  const { sender } = senderBy(deliver);
  await queue(Array(6).fill(MAIL));
  sender.wake();
  await eventually(() => expect(ends).toHaveLength(4));
  ends[2]!.done();
  await eventually(() => expect(ends).toHaveLength(5));
  ends[0]!.fail(new MailFailure("no", "550", true));
  await eventually(() => expect(ends).toHaveLength(6));
  for (const { done } of ends) done();
  await sender.drain();
  expect(await waiting()).toEqual([]);
});

test("a mail that was not sent is tried again after growing delays for three days; others are not delayed", async () => {
  const at: number[] = [];
  const began = now();
  let others = 0;
  const { sender, logged } = senderBy(async ({ to }) => {
    if (to !== MAIL.to) others += 1;
    else {
      at.push(now() - began);
      return down();
    }
  });
  await queue();
  await sender.drain();
  await queue(Array(20).fill({ ...MAIL, to: "bob@example.com" }));
  await sender.drain();
  expect(others).toBe(20);
  for (let [row] = await waiting(); row; [row] = await waiting()) {
    store.clock.pass(row.nextAt - now());
    await sender.drain();
  }
  const delays = at.slice(1).map((time, n) => time - at[n]!);
  for (const [n, least] of [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, HOUR, 2 * HOUR].entries()) {
    expect(delays[n]).toBeGreaterThanOrEqual(least);
    expect(delays[n]).toBeLessThanOrEqual(least * 1.2);
  }
  expect(at.at(-1)).toBeGreaterThan(2.5 * DAY);
  expect(at.at(-1)).toBeLessThanOrEqual(3 * DAY);
  const messages = logged.map((line) => (line as { message: string }).message);
  expect(new Set(messages.slice(0, -1))).toEqual(new Set(["a mail was not sent, and is tried again"]));
  expect(messages.at(-1)).toBe("a mail was not sent, and is given up");
});

test("a permanent refusal is not retried, and a server that takes too long is", async () => {
  const refused = senderBy(() => Promise.reject(new MailFailure("no", "550", true)));
  await queue();
  await refused.sender.drain();
  expect(refused.logged).toMatchObject([{ reason: "550", tries: 1, message: "a mail was not sent, and is given up" }]);
  const slow = senderBy(held().deliver, { timeoutMs: 1 });
  await queue();
  await slow.sender.drain();
  expect(slow.logged).toMatchObject([{ reason: "ETIMEDOUT", message: "a mail was not sent, and is tried again" }]);
  expect(await waiting()).toHaveLength(1);
});

test("law: the log has neither the recipient nor any part of the message, nor what a server said", async () => {
  const thrown = Object.assign(new Error(`550 <${MAIL.to}> said: ${MAIL.text}`), {
    response: MAIL.text,
    code: "EOTHER",
  });
  const { sender, logged } = senderBy(() => Promise.reject(thrown));
  await queue();
  await sender.drain();
  expect(logged).toMatchObject([{ reason: "EOTHER", tries: 1 }]);
  expect(JSON.stringify(logged)).not.toMatch(/ann|lnk_|said|Hello/);
});

test("a mail that cannot be opened waits for its key", async () => {
  const { ends, deliver } = held();
  await queue();
  const { sender, logged } = senderBy(deliver, {}, new SecretBox(() => [Buffer.alloc(32, 2)]));
  await sender.drain();
  expect([ends.length, logged.length, (await waiting()).length]).toEqual([0, 1, 1]);
});

test("stop: waits for mails that are being sent, begins no other, and leaves the rest in the database", async () => {
  const { ends, deliver } = held();
  const { sender, logged } = senderBy(deliver, { concurrency: 1 });
  await queue([MAIL, MAIL]);
  sender.wake();
  await eventually(() => expect(ends).toHaveLength(1));
  let isStopped = false;
  const stopped = sender.stop().then(() => {
    isStopped = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(isStopped).toBe(false);
  ends[0]!.done();
  await stopped;
  expect([ends.length, (await waiting()).length, logged.length]).toEqual([1, 1, 0]);
});

test("stop: waits no longer than it may for a server that does not answer", async () => {
  const { ends, deliver } = held();
  const { sender } = senderBy(deliver, { graceMs: 1 });
  await queue();
  sender.wake();
  await eventually(() => expect(ends).toHaveLength(1));
  await sender.stop();
  expect(await waiting()).toHaveLength(1);
});
