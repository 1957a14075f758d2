import { afterAll, expect, test } from "vitest";
import { documentsOf } from "../../../../src/surfaces/docs/index.ts";
import { blocksIn } from "../../../support/checks/markdown-blocks.ts";
import { startExampleService } from "../../../support/service/example-service.ts";
import { script, shell } from "../../../support/service/run-script.ts";

const { service, key, real } = await startExampleService("read", true);
afterAll(() => service.close());
const env = { BECKON_API_KEY: key };

/** Blocks of a page as they have to be sent to the service of this test. */
function blocksOf(path: string, language: string): string[] {
  const { markdown } = documentsOf(service.config).find((one) => one.path === path)!;
  const blocks = blocksIn(markdown).filter((block) => block.language === language);
  return blocks.map(({ text }) => real(text));
}

test("law: the four calls of the curl quickstart work one after the other", async () => {
  const [price, submit, look, file, ...more] = blocksOf("/docs/quickstart/curl", "sh");
  expect(more).toEqual([]);
  const run = async (lines: string) => shell(lines.replace("curl ", "curl -sS "), env);
  expect(JSON.parse(await run(price!))).toMatchObject({ urls: 2, credits: 2 });
  const first = await run(submit!);
  expect(JSON.parse(first)).toMatchObject({ urls_accepted: 2, credits_spent: 2 });
  // Its key makes it safe to repeat, as the page says.
  expect(await run(submit!)).toBe(first);
  expect(JSON.parse(await run(look!))).toMatchObject({ object: "project", status: "completed" });
  expect((await run(file!)).split("\r\n")).toHaveLength(5);
});

test("law: the script of the JavaScript quickstart creates a project, and shows a given one", async () => {
  const [text] = blocksOf("/docs/quickstart/javascript", "js");
  const made = await script(text!, env);
  expect(made).toMatch(/^prj_\w{13}: 2 credits spent, \d+ left\nactive \{/);
  expect(made).toMatch(/\nwaiting {6}https:\/\/example\.com\/about\n$/);
  const shown = await script(text!, env, { args: [real("prj_0123456789abc")] });
  expect(shown).toMatch(/^completed \{/);
  await expect(script(text!, env, { args: ["prj_unknown"] })).rejects.toThrow(/not_found: .* See http/);
});

test("law: run again on the same day, the JavaScript quickstart spends nothing; on another day it does", async () => {
  const [text] = blocksOf("/docs/quickstart/javascript", "js");
  const runOn = async (day: string) => {
    const printed = await script(text!, {
      ...env,
      ...preloaded(`Date.prototype.toISOString = () => "${day}T12:00:00Z"`),
    });
    return printed.split("\n")[0];
  };
  const first = await runOn("2026-01-05");
  expect(await runOn("2026-01-05")).toBe(first);
  const next = await runOn("2026-01-06");
  expect(next).toMatch(/: 2 credits spent/);
  expect(next).not.toBe(first);
});

test("law: the JavaScript quickstart retries after a lost answer, and spends once", async () => {
  const [text] = blocksOf("/docs/quickstart/javascript", "js");
  const { json: before } = await service.request("GET", "/account", { key });
  const losing = `
    Date.prototype.toISOString = () => "2026-01-07T12:00:00Z";
    const later = setTimeout, ask = fetch;
    globalThis.setTimeout = (work, ms, ...rest) => later(work, ms / 100, ...rest);
    let lost = 0;
    globalThis.fetch = async (...of) => {
      const answer = await ask(...of);
      if (lost++ < 3) throw new TypeError("fetch failed");
      return answer;
    };`;
  const printed = await script(text!, { ...env, ...preloaded(losing) });
  expect(printed).toMatch(/^prj_\w{13}: 2 credits spent/);
  const { json: after } = await service.request("GET", "/account", { key });
  expect(before.credits - after.credits).toBe(2);
  await expect(script(text!, { ...env, ...preloaded(losing.replace("< 3", "< 4")) })).rejects.toThrow(/fetch failed/);
});

/** Has Node.js run these lines before the script. */
function preloaded(lines: string): { NODE_OPTIONS: string } {
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(lines)}` };
}

test("law: the curl call of /docs/mcp works", async () => {
  const [call] = blocksOf("/docs/mcp", "sh");
  const { result } = JSON.parse(await shell(call!.replace("curl ", "curl -sS "), {}));
  expect(result.structuredContent).toMatchObject({ object: "pricing" });
});

test("law: the price of the wallet quickstart is in the headers that it names", async () => {
  const [ask] = blocksOf("/docs/quickstart/wallet", "sh");
  const printed = (await shell(ask!.replace("curl ", "curl -sS "), {})).toLowerCase();
  expect(printed).toMatch(/^http\/1\.1 402 /);
  for (const header of ["payment-required: ", "www-authenticate: payment "]) expect(printed).toContain(`\r\n${header}`);
});

test("law: both requests of the A2A quickstart work, and so does its SDK example", async () => {
  const path = "/docs/quickstart/a2a";
  const calls = blocksOf(path, "sh");
  expect(calls).toHaveLength(2);
  for (const call of calls) {
    const answer = JSON.parse(await shell(call.replace("curl ", "curl -sS "), env));
    const { task } = answer.result ?? answer;
    expect(task.status.state).toBe("TASK_STATE_COMPLETED");
    expect(task.artifacts[0].parts[0].data).toMatchObject({ object: "account" });
    // Run again, it is a message of its own, which the first answer does not hide.
    const again = JSON.parse(await shell(call.replace("curl ", "curl -sS "), env));
    expect((again.result ?? again).task.id).not.toBe(task.id);
  }
  const [text] = blocksOf(path, "js");
  const printed = JSON.parse(await script(text!, env, { folder: "node_modules" }));
  expect(printed.artifacts[0].parts[0].content.value).toMatchObject({ urls_accepted: 1, credits_spent: 1 });
});

test("law: every text command on /docs/a2a without a field works, and a free sentence is rejected", async () => {
  const { markdown } = documentsOf(service.config).find((one) => one.path === "/docs/a2a")!;
  const rows = markdown.split("\n").filter((line) => /^\| \[?`\w+`/.test(line));
  const lines = rows.flatMap((row) => [...row.split("|")[2]!.matchAll(/`([^`]+)`/g)].map(([, line]) => line!));
  expect(lines).toContain("watch {project_id}");
  const ask = async (text: string) => {
    const message = { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text }] };
    const response = await fetch(`${service.url}/a2a/message:send`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "A2A-Version": "1.0", Authorization: `Bearer ${key}` },
      body: JSON.stringify({ message }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: what came is looked at
    return ((await response.json()) as any).task;
  };
  for (const line of lines.filter((one) => !one.includes("{")))
    expect([line, (await ask(line)).status.state]).toEqual([line, "TASK_STATE_COMPLETED"]);
  const task = await ask("please index https://example.com/new as soon as you can");
  expect(task.status.state).toBe("TASK_STATE_REJECTED");
});
