import { afterEach, expect, test, vi } from "vitest";
import { MailFailure } from "../../../../src/domain/mail/failure.ts";
import type { Mail } from "../../../../src/domain/mail/mailer.ts";
import { MailQueue, type QueueOptions } from "../../../../src/domain/mail/queue.ts";
import { eventually } from "../../../support/service/eventually.ts";

afterEach(() => void vi.useRealTimers());

const MAIL = { to: "ann@example.com", subject: "Hello", text: "https://beckon.test/confirm?link=lnk_secret\n" };

/** A queue whose transport does what the test says, with what it logs. */
function queue(deliver: (mail: Mail) => Promise<void>, options?: Partial<QueueOptions>) {
  const logged: object[] = [];
  const transport = { deliver, check: async () => "" };
  const log = { error: (fields: object, message: string) => void logged.push({ ...fields, message }) };
  return { queue: new MailQueue(transport, log, options), logged };
}

/** Deliveries that end when they are told to. */
function held() {
  const ends: { done: () => void; fail: (thrown: Error) => void }[] = [];
  return { ends, deliver: () => new Promise<void>((done, fail) => ends.push({ done, fail })) };
}
const eventLoopTurn = () => new Promise((resolve) => setImmediate(resolve));

test("law: send neither waits nor throws, whether the message is delivered or not", async () => {
  const { queue: q, logged } = queue(() => Promise.reject(new MailFailure("no", "550", true)));
  expect(q.send(MAIL)).toBeUndefined();
  await eventLoopTurn();
  expect(logged).toEqual([{ reason: "550", tries: 1, message: "a mail was not sent, and is given up" }]);
});

test("delivers four at once, in order, the next when one ends", async () => {
  const { ends, deliver } = held();
  const order: string[] = [];
  const { queue: q } = queue((mail) => {
    order.push(mail.subject);
    return deliver();
  });
  for (let n = 0; n < 6; n++) q.send({ ...MAIL, subject: String(n) });
  await eventLoopTurn();
  expect(order).toEqual(["0", "1", "2", "3"]);
  ends[2]!.done();
  await eventLoopTurn();
  expect(order).toEqual(["0", "1", "2", "3", "4"]);
  ends[0]!.fail(new MailFailure("no", "550", true));
  await eventLoopTurn();
  expect(order).toHaveLength(6);
});

test("holds a thousand messages; one more is dropped and logged", async () => {
  const { ends, deliver } = held();
  const { queue: q, logged } = queue(deliver);
  for (let n = 0; n < 1_001; n++) q.send(MAIL);
  expect(logged).toEqual([{ held: 1_000, message: "a mail was not sent: too many are waiting" }]);
  ends[0]!.done();
  await eventLoopTurn();
  q.send(MAIL);
  expect(logged).toHaveLength(1);
});

test("retries after 2 s, 10 s, 30 s, 2 min and 5 min, then gives up; another message is not delayed", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  const began = Date.now();
  const at: number[] = [];
  let delivered = 0;
  const { queue: q, logged } = queue(async ({ to }) => {
    if (to !== "ann@example.com") delivered += 1;
    else {
      at.push(Date.now() - began);
      throw new MailFailure("down", "ECONNREFUSED", false);
    }
  });
  q.send(MAIL);
  await vi.advanceTimersByTimeAsync(1_000);
  for (let n = 0; n < 20; n++) q.send({ ...MAIL, to: "bob@example.com" });
  await vi.advanceTimersByTimeAsync(0);
  expect(delivered).toBe(20);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(at).toEqual([0, 2_000, 12_000, 42_000, 162_000, 462_000]);
  expect(logged.map((line) => (line as { message: string }).message)).toEqual([
    ...Array(5).fill("a mail was not sent, and is tried again"),
    "a mail was not sent, and is given up",
  ]);
});

test("law: the log has neither the recipient nor any part of the message, nor what a server said", async () => {
  const serverError = Object.assign(new Error(`550 <${MAIL.to}> said: ${MAIL.text}`), {
    response: MAIL.text,
    code: "EOTHER",
  });
  const { queue: q, logged } = queue(() => Promise.reject(serverError), { delays: [0] });
  q.send(MAIL);
  await eventually(() => expect(logged).toHaveLength(2));
  expect(logged).toMatchObject([
    { reason: "EOTHER", tries: 1 },
    { reason: "EOTHER", tries: 2 },
  ]);
  expect(JSON.stringify(logged)).not.toMatch(/ann|lnk_|said|Hello/);
});

test("stop: waits for messages that are being sent or are ready, and accepts no more", async () => {
  const { ends, deliver } = held();
  const { queue: q, logged } = queue(deliver, { concurrency: 1 });
  q.send(MAIL);
  q.send(MAIL);
  let isStopped = false;
  const stopped = q.stop().then(() => {
    isStopped = true;
  });
  q.send(MAIL);
  expect(logged).toEqual([{ lost: 1, message: "a mail was not sent: the service is stopping" }]);
  for (const n of [0, 1]) {
    expect(isStopped).toBe(false);
    ends[n]!.done();
    await eventLoopTurn();
  }
  await stopped;
  expect(ends).toHaveLength(2);
  expect(logged).toHaveLength(1);
});

test("stop: a message that fails now is not retried, and the log says so", async () => {
  const { ends, deliver } = held();
  const { queue: q, logged } = queue(deliver);
  q.send(MAIL);
  const stopped = q.stop();
  ends[0]!.fail(new MailFailure("down", "ECONNREFUSED", false));
  await stopped;
  expect(logged).toEqual([{ reason: "ECONNREFUSED", tries: 1, message: "a mail was not sent, and is given up" }]);
});

test("stop: messages that wait for a retry are lost, and counted in the log", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { ends, deliver } = held();
  const { queue: q, logged } = queue(deliver);
  q.send(MAIL);
  ends[0]!.fail(new MailFailure("down", "ECONNREFUSED", false));
  await vi.advanceTimersByTimeAsync(0);
  await q.stop();
  expect(logged.at(-1)).toEqual({ lost: 1, message: "mail was not sent: the service is stopping" });
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(ends).toHaveLength(1);
});

test("stop: waits no longer than 5 s; messages that wait for a retry are lost, and counted in the log", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { ends, deliver } = held();
  const { queue: q, logged } = queue(deliver);
  for (let n = 0; n < 6; n++) q.send(MAIL);
  ends[0]!.fail(new MailFailure("down", "ECONNREFUSED", false));
  await vi.advanceTimersByTimeAsync(0);
  logged.length = 0;
  let isStopped = false;
  const stopped = q.stop().then(() => {
    isStopped = true;
  });
  await vi.advanceTimersByTimeAsync(4_999);
  expect(isStopped).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await stopped;
  expect(logged).toEqual([{ lost: 6, message: "mail was not sent: the service is stopping" }]);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(ends).toHaveLength(5);
});
