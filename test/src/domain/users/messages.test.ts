import { expect, test } from "vitest";
import * as messages from "../../../../src/domain/users/messages.ts";

test("a link stays whole, however long it is", () => {
  const link = `https://beckon.test/${"x".repeat(200)}`;
  expect(messages.resetLink("ann@example.com", link).text).toContain(`\n\n${link}\n\n`);
});

test.each(Object.entries(messages))(
  "%s: has a subject of one plain line, and says what to do if it was not you",
  (_name, write) => {
    const { to, subject, text } = write("ann@example.com", "https://beckon.test/x");
    expect(to).toBe("ann@example.com");
    expect(subject).toMatch(/^[\x20-\x7e]{10,60}$/);
    expect(subject).toContain("Beckon");
    expect(text).toMatch(/^Hello,\n\n[\s\S]+\n\nBeckon\n$/);
    expect(text).toMatch(/ignore\sthis\smail|need\snot\sdo\sanything/);
    expect(text).toMatch(/\n\nhttps:\/\/beckon\.test\/x\S*\n\n/);
    expect(text).toMatch(/^[\x20-\x7e\n]+$/);
    for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(72);
    expect(text.length).toBeLessThan(800);
  },
);
