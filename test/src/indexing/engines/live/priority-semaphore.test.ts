import { expect, test } from "vitest";
import { Turnstile } from "../../../../../src/indexing/engines/live/priority-semaphore.ts";

/** Works that end when they are told to. */
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
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { begun, work, end };
}

test("so many at a time, the urgent ones first, the others in their order", async () => {
  const { begun, work, end } = works();
  const turnstile = new Turnstile(2);
  const all = ["a", "b", "c", "d"].map((name) => turnstile.pass(false, work(name)));
  all.push(turnstile.pass(true, work("urgent")));
  await end("a");
  await end("b");
  expect(begun).toEqual(["a", "b", "urgent", "c"]);
  await end("urgent");
  await end("c");
  await end("d");
  expect(begun).toEqual(["a", "b", "urgent", "c", "d"]);
  expect(await Promise.all(all)).toEqual(["a", "b", "c", "d", "urgent"]);
});

test("who fails leaves its place", async () => {
  const { begun, work, end } = works();
  const turnstile = new Turnstile(1);
  const first = expect(turnstile.pass(false, work("a"))).rejects.toThrow("no");
  const second = turnstile.pass(false, work("b"));
  await end("a", new Error("no"));
  await first;
  expect(begun).toEqual(["a", "b"]);
  await end("b");
  expect(await second).toBe("b");
  const third = turnstile.pass(false, work("c"));
  await end("c");
  expect(await third).toBe("c");
});
