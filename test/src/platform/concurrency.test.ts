import { AsyncLocalStorage } from "node:async_hooks";
import { expect, test } from "vitest";
import {
  eachLimit,
  KeyedMutex,
  Mutex,
  Semaphore,
  SingleFlight,
  TooManyWaiting,
} from "../../../src/platform/concurrency.ts";

/** Pieces of work that end when they are told to. */
function works() {
  const begun: string[] = [];
  const ends = new Map<string, (failure?: Error) => void>();
  const work = (name: string) => () =>
    new Promise<string>((resolve, reject) => {
      begun.push(name);
      ends.set(name, (failure) => (failure ? reject(failure) : resolve(name)));
    });
  const end = async (name: string, failure?: Error) => {
    ends.get(name)!(failure);
    await settled();
  };
  return { begun, work, end };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("a semaphore runs as many as its limit, and lets the next one in as each ends", async () => {
  const { begun, work, end } = works();
  const semaphore = new Semaphore(2);
  const all = ["a", "b", "c", "d"].map((name) => semaphore.run(work(name)));
  await settled();
  expect(begun).toEqual(["a", "b"]);
  await end("b");
  expect(begun).toEqual(["a", "b", "c"]);
  await end("a");
  await end("c");
  await end("d");
  expect(await Promise.all(all)).toEqual(["a", "b", "c", "d"]);
});

test("urgent work goes before the rest, which keeps its order", async () => {
  const { begun, work, end } = works();
  const semaphore = new Semaphore(2);
  const all = ["a", "b", "c", "d"].map((name) => semaphore.run(work(name)));
  all.push(semaphore.run(work("urgent"), { isUrgent: true }));
  for (const name of ["a", "b", "urgent", "c", "d"]) await end(name);
  expect(begun).toEqual(["a", "b", "urgent", "c", "d"]);
  await Promise.all(all);
});

test("new work waits behind what waits already, even if a permit was just passed on", async () => {
  const { begun, work, end } = works();
  const mutex = new Mutex();
  const all = [mutex.run(work("a")), mutex.run(work("b"))];
  await end("a");
  all.push(mutex.run(work("c")));
  await settled();
  expect(begun).toEqual(["a", "b"]);
  await end("b");
  expect(begun).toEqual(["a", "b", "c"]);
  await end("c");
  await Promise.all(all);
});

test("TooManyWaiting: beyond `maxWaiting` work is refused at once, and accepted again when one has ended", async () => {
  const { work, end } = works();
  const semaphore = new Semaphore(1, { maxWaiting: 2 });
  const all = [semaphore.run(work("a")), semaphore.run(work("b")), semaphore.run(work("c"), { isUrgent: true })];
  await expect(semaphore.run(work("d"))).rejects.toThrow(TooManyWaiting);
  await expect(semaphore.run(work("d"), { isUrgent: true })).rejects.toThrow(TooManyWaiting);
  await end("a");
  all.push(semaphore.run(work("e")));
  for (const name of ["c", "b", "e"]) await end(name);
  expect(await Promise.all(all)).toEqual(["a", "b", "c", "e"]);
});

test("work that throws returns its permit", async () => {
  const semaphore = new Semaphore(1, { maxWaiting: 0 });
  for (let i = 0; i < 3; i++) await expect(semaphore.run(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await semaphore.run(async () => "ran")).toBe("ran");
});

test("law: work runs in the async context of its own caller, not of the caller that returned the permit", async () => {
  const context = new AsyncLocalStorage<number>();
  const [mutex, keyed] = [new Mutex(), new KeyedMutex()];
  const seen = async () => {
    await settled();
    return context.getStore();
  };
  for (const run of [() => mutex.run(seen), () => keyed.run("key", seen)]) {
    expect(await Promise.all([1, 2, 3].map((caller) => context.run(caller, run)))).toEqual([1, 2, 3]);
  }
});

test("a keyed mutex: work of one key runs one at a time, work of different keys side by side", async () => {
  const { begun, work, end } = works();
  const keyed = new KeyedMutex();
  const all = [keyed.run("x", work("x1")), keyed.run("x", work("x2")), keyed.run("y", work("y1"))];
  await settled();
  expect(begun).toEqual(["x1", "y1"]);
  const failed = expect(all[0]).rejects.toThrow("no");
  await end("x1", new Error("no"));
  await failed;
  expect(begun).toEqual(["x1", "y1", "x2"]);
  await end("x2");
  await end("y1");
  expect(await Promise.all(all.slice(1))).toEqual(["x2", "y1"]);
});

test("single flight: work of one key is done once for all callers meanwhile, and again after it has ended", async () => {
  const { begun, work, end } = works();
  const flights = new SingleFlight<string>();
  const all = [flights.run("x", work("first")), flights.run("x", work("second")), flights.run("y", work("other"))];
  expect(flights.get("x")).toBe(all[0]);
  expect(begun).toEqual(["first", "other"]);
  const failed = Promise.allSettled(all.slice(0, 2));
  await end("first", new Error("no"));
  expect((await failed).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(flights.get("x")).toBeUndefined();
  const again = flights.run("x", work("again"));
  await end("again");
  await end("other");
  expect([await again, await all[2]]).toEqual(["again", "other"]);
});

test("eachLimit: items are begun in order, so many at a time; the first failure is the outcome", async () => {
  const { begun, work, end } = works();
  const done = eachLimit(["a", "b", "c"], 2, async (name) => void (await work(name)()));
  expect(begun).toEqual(["a", "b"]);
  await end("b");
  expect(begun).toEqual(["a", "b", "c"]);
  await end("a");
  await end("c");
  await done;
  await expect(eachLimit([1, 2], 1, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
});
