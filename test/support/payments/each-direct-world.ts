import { beforeEach, expect } from "vitest";
import { eachTest } from "../service/each-test.ts";
import { DirectWorld } from "./direct-world.ts";

/**
 * Opens a DirectWorld before each test of the file, and closes it after, when its books and its chain have to agree.
 * @param prepare what every test begins with
 * @returns stands for the one of the running test
 */
export function eachDirectWorld(prepare: () => Promise<void>): DirectWorld {
  const world = eachTest(async () => {
    const opened = await DirectWorld.open();
    const close = async () => {
      const faults = await opened.faults();
      await opened.store.close();
      expect(faults).toEqual([]);
    };
    return Object.assign(opened, { close });
  });
  beforeEach(prepare);
  return world;
}
