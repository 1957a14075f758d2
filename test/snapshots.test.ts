import { expect, test } from "vitest";
import { committedSnapshots, snapshots } from "../scripts/snapshots.ts";

const committed = committedSnapshots();
const current = snapshots();

/** The public surface is committed, so that a change of the contract is a visible difference. */
test.each([...current.keys()])("%s is what the code publishes", (path) => {
  expect(committed.get(path), "The contract has changed. When that is meant: npm run generate").toBe(current.get(path));
});

test("every snapshot belongs to something that is published", () => {
  const gone = [...committed.keys()].filter((path) => !current.has(path));
  expect(gone, "When the operation was meant to go: npm run generate").toEqual([]);
});
