import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { startMail } from "../../../../src/domain/mail/mail.ts";
import type { SenderOptions } from "../../../../src/domain/mail/sender.ts";
import { SecretBox } from "../../../../src/platform/secret-box.ts";
import { testStore } from "../../../support/database/store.ts";
import { mailServer, parseMessage } from "../../../support/network/smtp.ts";
import { eachTest } from "../../../support/service/each-test.ts";
import { eventually } from "../../../support/service/eventually.ts";

const store = eachTest(testStore);

const MAIL = { to: "ann@example.com", subject: "Hello", text: "https://beckon.test/confirm?link=lnk_secret\n" };

/** The mail of a process, by the clock of the machine, so that retries are due by themselves. */
async function mailOf(mail: string, { mailFrom, ...options }: { mailFrom?: string } & Partial<SenderOptions> = {}) {
  const logged: object[] = [];
  const config = { mail, mailFrom, siteUrl: "https://beckon.test:8443" };
  const log = { error: (fields: object) => void logged.push(fields) };
  const secretBox = new SecretBox(() => [Buffer.alloc(32, 1)]);
  const { mailer, stop } = await startMail(config, { db: store.db, now: Date.now, secretBox, log }, options);
  return { send: (one: typeof MAIL) => store.db.tx((tx) => mailer.queue(tx, one)), stop, logged };
}

/** Waits until no mail waits. */
const allSent = () => eventually(async () => expect(await store.db.q.select().from(store.db.t.mailQueue)).toEqual([]));

test("smtp: the sender is beckon@ the host of the site, or MAIL_FROM; the Message-ID names the mail", async () => {
  const server = await mailServer();
  onTestFinished(() => server.close());
  const address = `smtp://127.0.0.1:${server.port}`;
  for (const from of [{}, { mailFrom: "Ann's <hello@example.com>" }]) {
    const { send, stop, logged } = await mailOf(address, from);
    await send(MAIL);
    await allSent();
    expect(logged).toEqual([]);
    await stop();
  }
  expect(server.received.map(({ from }) => from)).toEqual(["beckon@beckon.test", "hello@example.com"]);
  const ids = server.received.map(({ raw }) => new Map(parseMessage(raw).headers).get("Message-ID"));
  expect(ids).toEqual([
    expect.stringMatching(/^<mail_[0-9a-z]{30}@beckon\.test>$/),
    expect.stringMatching(/^<mail_[0-9a-z]{30}@example\.com>$/),
  ]);
});

test("law: mail that was queued while the server was down arrives once, when it is up again, by another process", async () => {
  const before = await mailServer();
  await before.close();
  const address = `smtp://127.0.0.1:${before.port}`;
  const first = await mailOf(address, { delays: [20] });
  for (let n = 0; n < 10; n++) await first.send({ ...MAIL, to: `n${n}@example.com` });
  await eventually(() => expect(first.logged.length).toBeGreaterThan(9));
  await first.stop();
  const server = await mailServer({ port: before.port });
  onTestFinished(() => server.close());
  const next = await mailOf(address, { delays: [20], pollMs: 20 });
  await allSent();
  await next.stop();
  const to = server.received.map((mail) => mail.to[0]).sort();
  expect(to).toEqual(Array.from({ length: 10 }, (_, n) => `n${n}@example.com`));
  expect(JSON.stringify([first.logged, next.logged])).not.toMatch(/@example|lnk_/);
});

test("MAIL selects the file or console transport; an invalid address is refused at the start", async () => {
  const folder = mkdtempSync(join(tmpdir(), "beckon-mail-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const toFile = await mailOf(`file:${folder}`);
  await toFile.send(MAIL);
  await allSent();
  await toFile.stop();
  const files = readdirSync(folder);
  expect(files.map((file) => readFileSync(join(folder, file), "utf8"))).toEqual([
    expect.stringContaining("lnk_secret"),
  ]);

  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  const toConsole = await mailOf("console");
  await toConsole.send(MAIL);
  await allSent();
  await toConsole.stop();
  expect(write.mock.calls.join("")).toContain(MAIL.text);

  await expect(mailOf("smtp://")).rejects.toThrow("MAIL");
});
