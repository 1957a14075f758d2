import { afterEach, expect, test, vi } from "vitest";
import { MailFailure } from "../../../../src/domain/mail/failure.ts";
import type { Mail } from "../../../../src/domain/mail/mailer.ts";
import { MailQueue, type QueueOptions } from "../../../../src/domain/mail/queue.ts";

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
const turn = () => new Promise((resolve) => setImmediate(resolve));

test("law: sending neither waits nor throws, whatever becomes of it", async () => {
  const { queue: q, logged } = queue(() => Promise.reject(new MailFailure("no", "550", true)));
  expect(q.send(MAIL)).toBeUndefined();
  await turn();
  expect(logged).toEqual([{ reason: "550", tries: 1, message: "a mail was not sent, and is given up" }]);
});

test("four at once, in order, each next when one ends", async () => {
  const { ends, deliver } = held();
  const order: string[] = [];
  const { queue: q } = queue((mail) => {
    order.push(mail.subject);
    return deliver();
  });
  for (let n = 0; n < 6; n++) q.send({ ...MAIL, subject: String(n) });
  await turn();
  expect(order).toEqual(["0", "1", "2", "3"]);
  ends[2]!.done();
  await turn();
  expect(order).toEqual(["0", "1", "2", "3", "4"]);
  ends[0]!.fail(new MailFailure("no", "550", true));
  await turn();
  expect(order).toHaveLength(6);
});

test("a thousand wait, one more is dropped and logged", async () => {
  const { ends, deliver } = held();
  const { queue: q, logged } = queue(deliver);
  for (let n = 0; n < 1_001; n++) q.send(MAIL);
  expect(logged).toEqual([{ held: 1_000, message: "a mail was not sent: too many wait" }]);
  ends[0]!.done();
  await turn();
  q.send(MAIL);
  expect(logged).toHaveLength(1);
});

test("tried again after 2 s, 10 s, 30 s, 2 min and 5 min, then given up; another message is not held up", async () => {
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

test("law: the log names neither the recipient nor anything of the message, nor what a server said", async () => {
  const said = Object.assign(new Error(`550 <${MAIL.to}> said: ${MAIL.text}`), { response: MAIL.text, code: "EOTHER" });
  const { queue: q, logged } = queue(() => Promise.reject(said), { pauses: [0] });
  q.send(MAIL);
  await vi.waitFor(() => expect(logged).toHaveLength(2));
  expect(logged).toMatchObject([
    { reason: "EOTHER", tries: 1 },
    { reason: "EOTHER", tries: 2 },
  ]);
  expect(JSON.stringify(logged)).not.toMatch(/ann|lnk_|said|Hello/);
});

test("stop: waits for what is being sent and what is ready; takes nothing more", async () => {
  const { ends, deliver } = held();
  const { queue: q, logged } = queue(deliver, { atOnce: 1 });
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
    await turn();
  }
  await stopped;
  expect(ends).toHaveLength(2);
  expect(logged).toHaveLength(1);
});

test("stop: what fails now is not tried again, and the log says so", async () => {
  const { ends, deliver } = held();
  const { queue: q, logged } = queue(deliver);
  q.send(MAIL);
  const stopped = q.stop();
  ends[0]!.fail(new MailFailure("down", "ECONNREFUSED", false));
  await stopped;
  expect(logged).toEqual([{ reason: "ECONNREFUSED", tries: 1, message: "a mail was not sent, and is given up" }]);
});

test("stop: what waits for another try is not waited for, lost, and counted", async () => {
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

test("stop: after 5 s it waits no longer; what waits for another try is lost, and counted", async () => {
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
