import { expect, onTestFinished, test, vi } from "vitest";
import { sayOnce } from "../../../scripts/setup/say.mjs";

test("what two installations say of one registry is said once, and what differs is said, too", () => {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  onTestFinished(() => void write.mockRestore());
  for (const registry of ["one", "one", "another"]) sayOnce(`still waiting for ${registry}`);
  expect(write.mock.calls.map(([text]) => text)).toEqual([
    "beckon: still waiting for one\n",
    "beckon: still waiting for another\n",
  ]);
});
