import { expect, test } from "vitest";
import { chaos } from "../support/nodes/chaos.ts";
import type { FaultName } from "../support/nodes/faults.ts";

/** Each once, two at a time; `npm run chaos` does it for minutes, at random. */
const FAULTS: FaultName[] = ["loseCommits", "kill", "stall", "terminate", "pause", "cut", "powerCut", "loseCommits"];

test("law: three nodes whose clocks differ are killed, paused and cut off, their server too: credits are spent exactly, every link lives once, no key tells a lie, no round is done twice or left out", {
  timeout: 240_000,
}, async () => {
  const { problems, tally, projects, rounds } = await chaos({ seed: 7, faults: FAULTS });
  expect(problems).toEqual([]);
  // How many there are depends on the machine.
  expect(projects).toBeGreaterThan(3);
  expect(rounds).toBeGreaterThan(0);
  expect(tally.lost + tally.unavailable + tally.silent).toBeGreaterThan(0);
});

test("law: a node paused for longer than its lease (SIGSTOP) does nothing twice when it resumes", {
  timeout: 240_000,
}, async () => {
  const { problems, faults, projects } = await chaos({ seed: 3, nodes: 2, faults: ["pause", "pause", "pause"] });
  expect(problems).toEqual([]);
  expect([faults.pause, projects > 0]).toEqual([3, true]);
});
