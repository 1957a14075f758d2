import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../../../src/platform/config/config.ts";
import { checkMail } from "../../../../src/process/doctor/mail.ts";
import { mailServer } from "../../../support/network/smtp.ts";

const check = (mail: string) => checkMail({ ...readConfig({}), mail });

test("console: in order, with a note that no mail is delivered", async () => {
  expect(await check("console")).toEqual({
    name: "Mail",
    ok: true,
    found: "printed to standard error, sent to nobody",
  });
});

test("file: in order if the folder can be written to", async () => {
  const folder = mkdtempSync(join(tmpdir(), "beckon-mail-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  expect(await check(`file:${folder}/new`)).toMatchObject({ ok: true, found: `written to ${folder}/new` });
  writeFileSync(join(folder, "file"), "");
  const below = await check(`file:${folder}/file/x`);
  expect(below).toEqual({
    name: "Mail",
    ok: false,
    found: `no mail can be written to ${folder}/file/x: a part of its path is a file, not a folder`,
    remedy: expect.stringContaining("folder"),
  });
  expect((await check(`file:${folder}/file`)).found).toMatch(/: it is a file, not a folder$/);
});

test("smtp: in order if the server is ready; otherwise says what to do, without the password", async () => {
  const server = await mailServer({ login: { user: "beckon", pass: "right" } });
  const address = (pass: string) => `smtp://beckon:${pass}@127.0.0.1:${server.port}`;
  expect(await check(address("right"))).toMatchObject({ ok: true });
  const refused = await check(address("wrong-one"));
  expect(refused).toMatchObject({ ok: false, remedy: expect.stringContaining("login") });
  await server.close();
  const down = await check(address("wrong-one"));
  expect(down).toMatchObject({ ok: false, found: `127.0.0.1:${server.port} cannot be reached (ECONNREFUSED)` });
  expect(JSON.stringify([refused, down])).not.toContain("wrong-one");
  expect(await check("smtp://")).toMatchObject({ ok: false });
});
