import { expect, it } from "vitest";
import { LoopQueue } from "../../../src/platform/loop-queue.ts";

it("pieces of work that wait together go on in different iterations of the event loop, in their order", async () => {
  const queue = new LoopQueue();
  let iteration = 0;
  const tick = () => {
    iteration += 1;
    if (iteration < 20) setImmediate(tick);
  };
  setImmediate(tick);
  const ran: { piece: number; iteration: number }[] = [];
  await Promise.all(
    [0, 1, 2, 3].map(async (piece) => {
      await queue.wait();
      ran.push({ piece, iteration });
      await undefined;
      // What follows in the same piece of work.
      expect(iteration).toBe(ran.at(-1)!.iteration);
    }),
  );
  expect(ran.map(({ piece }) => piece)).toEqual([0, 1, 2, 3]);
  expect(new Set(ran.map(({ iteration }) => iteration)).size).toBe(4);
});
