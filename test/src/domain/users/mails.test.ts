import { expect, test } from "vitest";
import * as deletion from "../../../../src/domain/deletion/messages.ts";
import * as exports from "../../../../src/domain/exports/messages.ts";
import type { Mail } from "../../../../src/domain/mail/mailer.ts";
import { message } from "../../../../src/domain/mail/templates/plain.ts";
import * as access from "../../../../src/domain/users/access-messages.ts";
import * as address from "../../../../src/domain/users/address-messages.ts";
import * as factors from "../../../../src/domain/users/factor-messages.ts";
import * as users from "../../../../src/domain/users/messages.ts";
import * as claim from "../../../../src/surfaces/website/sign-in/claim/mail.ts";

const TO = "ann@example.com";
const LINK = `https://beckon.test/confirm?link=${"x".repeat(90)}&then=/a`;
const FIELDS = {
  ...{ to: TO, name: 'A <b>"name"</b> & more', siteUrl: "https://beckon.test", link: LINK, scopes: ["read", "index"] },
  ...{ browser: "Firefox", email: "bob@example.com", previous: "old@example.com", due: "2026-01-12", at: 0, left: 3 },
  ...{ until: 0, expiresAt: 0 },
};

type Write = (...args: unknown[]) => Mail;

/** Mails by the functions that write them; those of an account take one link, the others what they need. */
const MAILS: readonly (readonly [name: string, mail: () => Mail])[] = [
  ...Object.entries(users).map(([name, write]) => [name, () => (write as Write)(TO, LINK)] as const),
  ...[access, address, factors, deletion, exports].flatMap((module) =>
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
