import { expect, it } from "vitest";
import { LoopQueue } from "../../../src/platform/loop-queue.ts";

/** In which iteration of the event loop each of four pieces that wait together ran, if each works so long, in ms. */
async function iterationsOf(ms: number): Promise<number[]> {
  const queue = new LoopQueue();
  let iteration = 0;
  let isOver = false;
  const count = () => {
    iteration += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const order: number[] = [];
  const ran = await Promise.all(
    [0, 1, 2, 3].map(async (piece) => {
      await queue.wait();
      order.push(piece);
      // The work comes after another promise, as a query's result does.
      await undefined;
      for (const from = performance.now(); performance.now() - from < ms; );
      return iteration;
    }),
  );
  isOver = true;
  expect(order).toEqual([0, 1, 2, 3]);
  return ran;
}

it("long pieces of work that wait together go on in different iterations of the event loop", async () => {
  expect(new Set(await iterationsOf(5)).size).toBe(4);
});

it("short pieces of work share an iteration, and so a commit", async () => {
  expect(new Set(await iterationsOf(0)).size).toBeLessThan(4);
});
