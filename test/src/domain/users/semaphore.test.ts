import { expect, test } from "vitest";
import { Semaphore } from "../../../../src/domain/users/semaphore.ts";
import { codeOf } from "../../../support/website/users.ts";

/** Work that ends when it is told to. */
function work() {
  const ends: (() => void)[] = [];
  return { ends, run: () => new Promise<void>((resolve) => ends.push(resolve)) };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("two at once, three wait, the sixth is 503 with Retry-After; each that ends lets the next one begin", async () => {
  const turns = new Semaphore({ atOnce: 2, waiting: 3 });
  const { ends, run } = work();
  const calls = Array.from({ length: 5 }, () => turns.run(run));
  await settled();
  expect(ends).toHaveLength(2);
  await expect(turns.run(run)).rejects.toMatchObject({ code: "unavailable", headers: { "Retry-After": "5" } });
  for (const left of [4, 3, 2, 1, 0]) {
    ends.shift()!();
    await settled();
    expect(ends).toHaveLength(Math.min(2, left));
  }
  await Promise.all(calls);
});

test("who comes later waits behind those who wait, also when a place has just been handed on", async () => {
  const turns = new Semaphore({ atOnce: 1, waiting: 3 });
  const { ends, run } = work();
  const order: string[] = [];
  const call = (name: string) =>
    turns.run(() => {
      order.push(name);
      return run();
    });
  const calls = [call("a"), call("b")];
  await settled();
  ends.shift()!();
  await settled();
  calls.push(call("c"));
  await settled();
  expect(order).toEqual(["a", "b"]);
  ends.shift()!();
  await settled();
  expect(order).toEqual(["a", "b", "c"]);
  ends.shift()!();
  await Promise.all(calls);
});

test("what throws gives its turn back", async () => {
  const turns = new Semaphore({ atOnce: 1, waiting: 0 });
  for (let i = 0; i < 3; i++) await expect(turns.run(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await turns.run(async () => "ran")).toBe("ran");
  const { ends, run } = work();
  const first = turns.run(run);
  expect(await codeOf(turns.run(run))).toBe("unavailable");
  ends[0]!();
  await first;
  expect(await turns.run(async () => "ran")).toBe("ran");
});
