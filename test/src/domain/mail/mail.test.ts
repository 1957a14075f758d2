import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { createMailer } from "../../../../src/domain/mail/mail.ts";
import { mailServer } from "../../../support/network/smtp.ts";
import { eventually } from "../../../support/service/eventually.ts";

const MAIL = { to: "ann@example.com", subject: "Hello", text: "https://beckon.test/confirm?link=lnk_secret\n" };

function mailer(mail: string, { mailFrom, delays }: { mailFrom?: string; delays?: number[] } = {}) {
  const logged: object[] = [];
  const config = { mail, mailFrom, siteUrl: "https://beckon.test:8443" };
  const log = { error: (fields: object) => void logged.push(fields) };
  const made = createMailer(config, log, delays ? { delays } : {});
  onTestFinished(() => made.stop());
  return { mailer: made, logged };
}

test("smtp: the sender is beckon@ the host of the site, or MAIL_FROM", async () => {
  const server = await mailServer();
  onTestFinished(() => server.close());
  const address = `smtp://127.0.0.1:${server.port}`;
  for (const from of [{}, { mailFrom: "Ann's <hello@example.com>" }]) {
    const { mailer: m, logged } = mailer(address, from);
    m.send(MAIL);
    await m.stop();
    expect(logged).toEqual([]);
  }
  expect(server.received.map(({ from }) => from)).toEqual(["beckon@beckon.test", "hello@example.com"]);
});

test("law: mail that was sent while the server was down arrives once, when it is up again", async () => {
  const before = await mailServer();
  await before.close();
  const { mailer: m, logged } = mailer(`smtp://127.0.0.1:${before.port}`, { delays: Array(500).fill(20) });
  for (let n = 0; n < 10; n++) m.send({ ...MAIL, to: `n${n}@example.com` });
  await eventually(() => expect(logged.length).toBeGreaterThan(20));
  const server = await mailServer({ port: before.port });
  onTestFinished(() => server.close());
  await eventually(() => expect(server.received).toHaveLength(10));
  await m.stop();
  const to = server.received.map((mail) => mail.to[0]).sort();
  expect(to).toEqual(Array.from({ length: 10 }, (_, n) => `n${n}@example.com`));
  expect(JSON.stringify(logged)).not.toMatch(/@example|lnk_/);
});

test("a permanent refusal is not retried", async () => {
  const server = await mailServer({ refuse: 550 });
  onTestFinished(() => server.close());
  const { mailer: m, logged } = mailer(`smtp://127.0.0.1:${server.port}`, { delays: [0, 0] });
  m.send(MAIL);
  await eventually(() => expect(logged).toEqual([{ reason: "550", tries: 1 }]));
});

test("MAIL selects the file or console transport; an invalid address is refused at the start", async () => {
  const folder = mkdtempSync(join(tmpdir(), "beckon-mail-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { mailer: m } = mailer(`file:${folder}`);
  m.send(MAIL);
  await m.stop();
  expect(readdirSync(folder)).toHaveLength(1);

  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  const { mailer: c } = mailer("console");
  c.send(MAIL);
  await c.stop();
  expect(write.mock.calls.join("")).toContain(MAIL.text);

  expect(() => mailer("smtp://")).toThrow("MAIL");
});
