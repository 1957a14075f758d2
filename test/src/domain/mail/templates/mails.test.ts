import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { message } from "../../../../../src/domain/mail/layout/plain.ts";
import type { Mail } from "../../../../../src/domain/mail/mailer.ts";
import { packageRoot } from "../../../../../src/platform/package-root.ts";
import {
  access,
  address,
  claim,
  deletion,
  exports,
  factors,
  members,
  users,
} from "../../../../support/mail/plain-mails.ts";

const TO = "ann@example.com";
const LINK = `https://beckon.test/confirm?link=${"x".repeat(90)}&then=/a`;
const FIELDS = {
  ...{
    to: TO,
    name: 'A <b>"name"</b> & more',
    siteUrl: "https://beckon.test",
    link: LINK,
    paused: [],
    scopes: ["read", "index"],
  },
  ...{ browser: "Firefox", email: "bob@example.com", previous: "old@example.com", due: "2026-01-12", at: 0, left: 3 },
  ...{ until: 0, expiresAt: 0, by: "bob@example.com", role: "member" },
};

type Write = (...args: unknown[]) => Mail;

/** Mails by the functions that write them; mails of an account take one link, the others what they need. */
const MAILS: readonly (readonly [name: string, mail: () => Mail])[] = [
  ...Object.entries(users).map(([name, write]) => [name, () => (write as Write)(TO, LINK)] as const),
  ...[access, address, factors, members, deletion, exports].flatMap((module) =>
    Object.entries(module)
      .filter(([, write]) => typeof write === "function")
      .map(([name, write]) => [name, () => (write as Write)(TO, FIELDS)] as const),
  ),
  ...Object.entries(claim).map(([name, write]) => [name, () => (write as Write)(FIELDS)] as const),
];

/** The text that people read of an HTML mail, below its heading. */
function readable(html: string): string {
  const body = html.slice(html.indexOf("</h1>"));
  const text = body.replace(/<[^>]+>/g, " ").replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
  return text.replace(/\s+/g, " ").trim();
}

/** Mails that test/src/domain/notices/notices.test.ts reads as they are sent, or the tests of what they tell. */
const NOTICES = [
  ...[
    "approval-requested",
    "channel-made",
    "credits-granted",
    "credits-low",
    "order-paid",
    "order-refunded",
    "projects-completed",
  ],
  ...["watch-budget-spent", "watch-failing", "watch-held", "watches-paused", "webhook-disabled"],
  ...["connection-failing", "share-created"],
];

test("law: every mail is one file of the folder, and read here or among the notices", () => {
  const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const files = readdirSync(join(packageRoot, "src/domain/mail/templates")).map((name) => name.replace(".ts", ""));
  expect([...MAILS.map(([name]) => kebab(name)), ...NOTICES].sort()).toEqual(files.sort());
});

test.each(MAILS)("%s: is readable as text and as HTML, which say the same", (_, write) => {
  const { to, subject, text, html } = write();
  expect(to).toBe(TO);
  expect(subject).toMatch(/^[A-Z]\S* \S+/);
  expect(text).toMatch(/^Hello,\n\n[\s\S]+\n\nBeckon\n$/);
  const said = text.replace(/^Hello,\n\n|\n\nBeckon\n$/g, "").replace(/^- /gm, "");
  expect(readable(html!)).toBe(said.replace(/\s+/g, " ").trim());
  for (const line of text.split("\n")) expect(line.length <= 72 || !line.includes(" "), line).toBe(true);
  expect(html).not.toMatch(/<b>|<img|<script|undefined|NaN|\[object/);
  expect(text).not.toMatch(/undefined|NaN|\[object/);
});

test("a link of a mail leads where it says, and is a link only where it stands alone", () => {
  const { html } = message(TO, "Subject", ["Open this:", LINK, "Not this: https://evil.test/ please."]);
  const links = [...html!.matchAll(/<a href="([^"]+)"[^>]*>([^<]+)<\/a>/g)];
  expect(links.map(([, href, shown]) => [href, shown])).toEqual([
    [LINK.replace("&", "&#38;"), LINK.replace("&", "&#38;")],
  ]);
});
