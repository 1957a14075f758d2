import { expect, test } from "vitest";
import { playModel } from "./model.ts";

test("law: ledger = balance, spent = returned + kept, no link is acted on twice, over 2,000 commands with crashes", async () => {
  expect(await playModel({ commands: 2_000, seed: 20_260_105 })).toBeGreaterThan(1_900);
}, 300_000);
