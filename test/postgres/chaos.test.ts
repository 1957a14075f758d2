import { expect, test } from "vitest";
import { chaos } from "../support/nodes/chaos.ts";
import type { FaultName } from "../support/nodes/faults.ts";

/** Each once, two at a time; `npm run chaos` does it for minutes, at random. */
const FAULTS: FaultName[] = ["loseCommits", "kill", "stall", "terminate", "pause", "cut", "powerCut", "loseCommits"];

test("law: three nodes whose clocks differ are killed, paused and cut off, their server too: credits are spent exactly, every link lives once, no key tells a lie", {
  timeout: 240_000,
}, async () => {
  const { problems, tally, projects } = await chaos({ seed: 7, faults: FAULTS });
  expect(problems).toEqual([]);
  expect(projects).toBeGreaterThan(10);
  expect(tally.lost + tally.unavailable + tally.silent).toBeGreaterThan(0);
});
