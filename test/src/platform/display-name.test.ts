import fc from "fast-check";
import { expect, test } from "vitest";
import { displayName } from "../../../src/platform/display-name.ts";
import { codePoints } from "../../../src/platform/text.ts";

test.each([
  ["Zoë's  helper & co", "Zoë's helper & co"],
  [" \t\r\n", ""],
  ["a\u202eb\u2066c\u200fd", "abcd"],
  ["two\u2028lines", "two lines"],
  ["\u3164\u115f\u00ad\u034f\ufe0f\ufeff\u{e0041}", ""],
  ["a \u200b b", "a b"],
  ["half \ud83e of it", "half of it"],
  ["private \ue000 use", "private use"],
  ["a\u2800\u2800b", "a b"],
  [`Z${"\u0301".repeat(9)}o${"\u200d\u0301".repeat(9)}`, `Z${"\u0301".repeat(3)}o${"\u0301".repeat(3)}`],
  ["<b>", "<b>"],
])("%j is shown as %j", (text, shown) => {
  expect(displayName(text, 80)).toBe(shown);
});

test("lengths are counted in code points, without invisible characters", () => {
  expect(displayName("🦊".repeat(80), 80)).toBe("🦊".repeat(80));
  expect(displayName("🦊".repeat(81), 80)).toBeNull();
  expect(displayName(`${"\u200b".repeat(500)}a`, 80)).toBe("a");
});

test("law: no invisible characters, line breaks, or spaces at an end or in a row; a second pass changes nothing", () => {
  const unit = fc.constantFrom(
    "a",
    " ",
    "\n",
    "\u202e",
    "\u200b",
    "\u0000",
    "\ud83e",
    "🦊",
    "\u2028",
    "é",
    "\u3164",
    "\u0301",
  );
  const texts = fc.oneof(fc.string({ unit, maxLength: 60 }), fc.string({ unit: "binary", maxLength: 60 }));
  fc.assert(
    fc.property(texts, (text) => {
      const name = displayName(text, 40);
      if (name === null) return;
      expect(name).not.toMatch(/[\p{C}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]|^\s|\s$|\s\s/u);
      expect(codePoints(name)).toBeLessThanOrEqual(40);
      expect(displayName(name, 40)).toBe(name);
    }),
  );
});
