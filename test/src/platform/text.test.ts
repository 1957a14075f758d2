import fc from "fast-check";
import { expect, test } from "vitest";
import { asSentence, codePoints, cut, hasControl, parseUrl } from "../../../src/platform/text.ts";

/** Flat one-byte text, as headers and bodies bring it; what is put together is handed to the parser in another way. */
const flat = (text: string) => Buffer.from(text, "latin1").toString("latin1");

test.each([
  ["a host of Latin-1", "https://b\u00fccher.example/", "https://xn--bcher-kva.example/"],
  ["UTF-8 that was read as Latin-1, which is no host", "http://stra\u00c3\u009fe.example", undefined],
  ["no URL", "https://", undefined],
])("the result is the same before and after the JIT compiler optimises the parser: %s", (_, text, href) => {
  for (let i = 0; i < 20_000; i++) {
    const found = parseUrl(flat(text))?.href;
    if (found !== href) expect(`call ${i}: ${found}`).toBe(href);
  }
  expect(parseUrl(text)?.href).toBe(href);
});

test("lengths are counted in code points, and no character is cut in two", () => {
  expect([codePoints(""), codePoints("a😀é"), codePoints("😀😀")]).toEqual([0, 3, 2]);
  expect([cut("a😀b", 2), cut("abc", 3), cut("😀😀😀", 2)]).toEqual(["a😀", "abc", "😀😀"]);
});

test("half of a surrogate pair counts as a character, so a text of them is not shorter than it is", () => {
  for (const half of ["\ud83d", "\ude00"]) expect(codePoints(half.repeat(500))).toBe(500);
  const text = fc.string({ unit: "binary", maxLength: 20 });
  fc.assert(fc.property(text, (one) => codePoints(one) === Array.from(one).length));
});

test("control characters are C0, C1 and DEL", () => {
  for (const code of [0, 9, 10, 0x1f, 0x7f, 0x80, 0x9f]) expect(hasControl(`a${String.fromCharCode(code)}`)).toBe(true);
  expect(hasControl(" ~\u00a0é😀")).toBe(false);
});

test.each([
  ["Complaints reached us", "Complaints reached us."],
  ["Complaints reached us.", "Complaints reached us."],
  ["Stop!", "Stop!"],
  ["Who are you?", "Who are you?"],
])("%s: a sentence ends with a full stop unless something else ends it", (text, sentence) => {
  expect(asSentence(text)).toBe(sentence);
});
