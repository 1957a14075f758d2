import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fileTransport } from "../../../../src/domain/mail/file.ts";
import { fuzzRuns } from "../../../support/checks/fuzz-runs.ts";
import { parseMessage } from "../../../support/network/smtp.ts";

const LINK = `https://beckon.test/confirm?link=lnk_${"x".repeat(43)}`;
const MAIL = { id: "mail_1", to: "ann@example.com", subject: "Hello", text: `Hello,\n\n${LINK}\n` };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "beckon-mail-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const files = (of = folder) => readdirSync(of).sort();
const read = (name: string) => readFileSync(join(folder, name), "utf8");

test("writes each message as a file, in a folder that it creates; file names sort by time", async () => {
  const into = join(folder, "deep", "mail");
  const transport = fileTransport(into, "beckon@beckon.test");
  for (let n = 0; n < 12; n++) await transport.deliver({ ...MAIL, subject: `No ${n}` });
  const names = files(into);
  expect(names).toHaveLength(12);
  const subjects = names.map((name) => /^Subject: (.+)\r$/m.exec(readFileSync(join(into, name), "utf8"))?.[1]);
  expect(subjects).toEqual(Array.from({ length: 12 }, (_, n) => `No ${n}`));
  expect(names[0]).toMatch(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z-\d{6}-[0-9a-f]{8}\.eml$/);
  expect(statSync(join(into, names[0]!)).mode & 0o777).toBe(0o600);
  expect(statSync(into).mode & 0o777).toBe(0o700);
  const { headers, body } = parseMessage(readFileSync(join(into, names[0]!), "utf8"));
  expect(Object.fromEntries(headers)).toMatchObject({ From: "beckon@beckon.test", To: "ann@example.com" });
  expect(body).toContain(`\r\n${LINK}\r\n`);
});

test("check: leaves nothing behind, and throws where no file can be written", async () => {
  expect(await fileTransport(folder, "a@b.test").check()).toBe(`written to ${folder}`);
  expect(files()).toEqual([]);
  writeFileSync(join(folder, "file"), "");
  const blocked = fileTransport(join(folder, "file", "mail"), "a@b.test");
  await expect(blocked.check()).rejects.toThrow("ENOTDIR");
  await expect(blocked.deliver(MAIL)).rejects.toThrow("ENOTDIR");
});

const HEADERS = ["From", "To", "Subject", "Auto-Submitted", "Message-ID", "Content-Transfer-Encoding", "Date"];

test("law: no subject and no text adds a header or a recipient", async () => {
  const transport = fileTransport(folder, "Beckon <beckon@beckon.test>");
  const breaks = fc.constantFrom(
    "\r\nBcc: bob@example.com\r\n",
    "\nTo: bob@example.com",
    "\r",
    "\n\n",
    "\u2028",
    "\0",
    "é",
  );
  const words = fc
    .array(fc.oneof(breaks, fc.string({ unit: "grapheme" })), { maxLength: 8 })
    .map((all) => all.join(""));
  await fc.assert(
    fc.asyncProperty(words, words, async (subject, text) => {
      await transport.deliver({ id: "mail_1", to: "ann@example.com", subject, text });
      const [name] = files();
      const { headers } = parseMessage(read(name!));
      rmSync(join(folder, name!));
      const names = headers.map(([name]) => name);
      expect(new Set(names).size).toBe(names.length);
      expect([...HEADERS, "MIME-Version", "Content-Type"]).toEqual(expect.arrayContaining(names));
      expect(Object.fromEntries(headers)).toMatchObject({ To: "ann@example.com" });
    }),
    { numRuns: fuzzRuns(200), seed: 1 },
  );
});

test.each([
  "ann@example.com\r\nBcc: bob@example.com",
  "ann@example.com, bob@example.com",
  "Ann <ann@example.com>",
  "ann@example.com;bob@example.com",
  "undisclosed: ann@example.com;",
  "ANN@example.com",
  "",
])("%j is no recipient: nothing is written", async (to) => {
  await expect(fileTransport(folder, "a@b.test").deliver({ ...MAIL, to })).rejects.toMatchObject({ isFinal: true });
  expect(files()).toEqual([]);
});

const NOTICE = {
  ...{ ...MAIL, text: "Fünf Projekte\n", html: `<p>Fünf Projekte</p>${"x".repeat(1_200)}` },
  unsubscribe: `https://beckon.test/unsubscribe?token=${"x".repeat(150)}`,
};

test("a mail with HTML has both forms, the text first, and the headers of one-click unsubscribe (RFC 8058)", async () => {
  await fileTransport(folder, "a@b.test").deliver(NOTICE);
  const { headers, body } = parseMessage(read(files()[0]!));
  expect(Object.fromEntries(headers)).toMatchObject({
    "Content-Type": expect.stringMatching(/^multipart\/alternative; *boundary=/),
    "List-Unsubscribe": expect.stringMatching(/^<https:\/\/beckon\.test\/unsubscribe\?token=x{150}>$/),
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  });
  const types = [...body.matchAll(/^Content-Type: ([^;\r]+)/gm)].map(([, type]) => type);
  expect(types).toEqual(["text/plain", "text/html"]);
  expect(Math.max(...body.split("\r\n").map((line) => line.length))).toBeLessThan(999);
});
