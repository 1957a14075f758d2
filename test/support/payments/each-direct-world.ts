import { beforeEach, expect } from "vitest";
import { eachTest } from "../service/each-test.ts";
import { DirectWorld } from "./direct-world.ts";

/**
 * Opens a DirectWorld before each test of the file, and closes it after it, when ledger and chain must agree.
 * @param prepare run before each test
 * @returns a proxy for the world of the running test
 */
export function eachDirectWorld(prepare: () => Promise<void>): DirectWorld {
  const world = eachTest(async () => {
    const opened = await DirectWorld.open();
    const close = async () => {
      const problems = await opened.problems();
      await opened.store.close();
      expect(problems).toEqual([]);
    };
    return Object.assign(opened, { close });
  });
  beforeEach(prepare);
  return world;
}
