import { expect, test } from "vitest";
import {
  access,
  address as addressMessages,
  deletion as deletionMessages,
  exports,
  users as messages,
} from "../../../../support/mail/plain-mails.ts";

test("a link stays whole, however long it is", () => {
  const link = `https://beckon.test/${"x".repeat(200)}`;
  expect(messages.resetLink("ann@example.com", link).text).toContain(`\n\n${link}\n\n`);
});

const LINK = "https://beckon.test/x";
/** Everything that a mail about a change of address may say. */
const CHANGE = { email: "ann@new.example", previous: "ann@old.example", link: LINK, siteUrl: LINK, paused: [] };
const TIMES = { until: Date.UTC(2026, 0, 12, 14, 5), expiresAt: Date.UTC(2026, 0, 12, 14, 5) };

const MAILS = [
  ...Object.entries(messages).map(([name, write]) => [name, write("ann@example.com", LINK)] as const),
  ...Object.entries({ ...addressMessages, ...deletionMessages }).map(
    ([name, write]) =>
      [name, write("ann@example.com", { ...CHANGE, ...TIMES, due: "2026-01-12 at 14:05 UTC" })] as const,
  ),
];

test.each(MAILS)(
  "%s: has a subject of one plain line, and says what to do if it was not you",
  (name, { to, subject, text }) => {
    expect(to).toBe("ann@example.com");
    expect(subject).toMatch(/^[\x20-\x7e]{10,60}$/);
    expect(subject).toContain("Beckon");
    expect(text).toMatch(/^Hello,\n\n[\s\S]+\n\nBeckon\n$/);
    expect(text).toMatch(/ignore\sthis\smail|need\snot\sdo\sanything/);
    // Nothing can be done about an address that is kept, but wait.
    if (name !== "addressKept") expect(text).toMatch(/\n\nhttps:\/\/beckon\.test\/x\S*\n\n/);
    expect(text).toMatch(/^[\x20-\x7e\n]+$/);
    for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(72);
    expect(text.length).toBeLessThan(800);
  },
);

const ACCESS = { name: "CI", scopes: ["read", "index"], siteUrl: "https://beckon.test" } as const;
const SIGN_IN = { browser: "Firefox on Linux", at: 0, siteUrl: "https://beckon.test" };

test.each([
  access.keyAdded("ann@example.com", ACCESS),
  access.appConnected("ann@example.com", ACCESS),
  access.signedInByNewBrowser("ann@example.com", SIGN_IN),
  exports.exportReady("ann@example.com", {
    link: "https://beckon.test/dashboard/security/export",
    until: "2026-01-12 12:00 UTC",
  }),
])("$subject: says what happened, and what to do if it was not you", ({ to, subject, text }) => {
  expect(to).toBe("ann@example.com");
  expect(subject).toMatch(/^[\x20-\x7e]{10,60}$/);
  expect(text).toMatch(/^Hello,\n\n[\s\S]+\n\nBeckon\n$/);
  expect(text).toMatch(/need\snot\sdo\sanything/);
  expect(text).toMatch(/\n\nhttps:\/\/beckon\.test\/\S+\n\n/);
  for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(72);
});

test("the mail about a key or an app says what it may do", () => {
  const { text } = access.keyAdded("ann@example.com", ACCESS);
  expect(text.replaceAll("\n", " ")).toContain("see your balance, projects, links, orders and usage; create projects");
  expect(text).not.toContain("purchases");
});
