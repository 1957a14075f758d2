import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { client, userOf } from "../../../support/client/beckon-client.ts";

/** The environment of a user of the hostile service. */
const user = () => userOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, "bk_live_key");

/** Each kind of what a terminal obeys: C0, DEL, C1, marks of direction, and ends of lines that are none of ASCII. */
const HOSTILE = "\x1b[2J\x07\r\b\t\x7f\x9b31m\x9d0;x\x9c\u202e\u2066\u200f\u061c\u2028\u2029";
const OBEYED = /(?!\r?\n)[\p{Cc}\u061c\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

const project = {
  ...{ id: `prj_${HOSTILE}`, name: HOSTILE, kind: HOSTILE, mode: HOSTILE, status: "completed", index_rate: HOSTILE },
  ...{ counts: { total: HOSTILE, waiting: 0, checking: 0, indexed: HOSTILE, not_indexed: 0, failed: 0 } },
  ...{ credits_spent: HOSTILE, credits_returned: HOSTILE, dashboard_url: HOSTILE },
};
const answers = {
  ...{ project, projects: [project], invalid: HOSTILE, duplicates: 1, balance: HOSTILE, checkout_url: HOSTILE },
  links: [{ url: HOSTILE, status: HOSTILE, checked_at: HOSTILE, error_message: HOSTILE }],
  entries: [{ at: HOSTILE, credits: 1, balance_after: 2, description: HOSTILE }],
  ...{ email: HOSTILE, credits: HOSTILE, remaining: { day: 1 }, resets_at: { day: HOSTILE }, watches: [], events: [] },
  ...{ groups: [{ status: HOSTILE, words: HOSTILE, count: 1 }], by_host: [], by_folder: [], has_more: false },
};

let answer: (req: IncomingMessage, res: ServerResponse) => void;
const server = createServer((req, res) => answer(req, res));
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => {
  server.close();
});

function json(res: ServerResponse, value: object, status = 200): void {
  res.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(value));
}

function friendly({ url }: IncomingMessage, res: ServerResponse): void {
  if (!url!.includes(".csv")) {
    json(res, url!.includes("/projects/prj") ? { ...project, ...answers } : answers);
    return;
  }
  res.writeHead(200, { "Content-Type": "text/csv" });
  // The end of a line comes in two pieces.
  res.write(`"url"\r\n"${HOSTILE}"\r`, () => setImmediate(() => res.end('\n"last"\r\n')));
}

const COMMANDS = [
  "status",
  "status prj_1",
  "status prj_1 --follow",
  "links prj_1",
  "links prj_1 --csv",
  "report prj_1",
  "credits",
  "credits --buy basic",
  "submit https://example.com/",
  "call get_account",
];

test.each(COMMANDS)("law: a terminal obeys nothing of what a service answers: %s", async (command) => {
  answer = friendly;
  for (const isOutputTerminal of [true, false]) {
    const { out, err } = await client(user(), command.split(" "), { isOutputTerminal });
    expect(out).not.toBe("");
    // The client's own signs, by which it draws a line again.
    expect(out.replaceAll("\r\x1b[K", "")).not.toMatch(OBEYED);
    expect(err).not.toMatch(OBEYED);
  }
});

test.each(COMMANDS)("law: nor of an error, or of a wait for it: %s", async (command) => {
  const error = { code: "invalid_request", message: HOSTILE, issues: [{ path: HOSTILE, message: HOSTILE }] };
  let isFirst = true;
  answer = (_, res) => {
    res.setHeader("Retry-After", "0");
    if (isFirst) json(res, { error: { code: "unavailable", message: HOSTILE } }, 503);
    else json(res, { error: { ...error, buy_url: HOSTILE } }, 400);
    isFirst = false;
  };
  for (const isOutputTerminal of [true, false]) {
    const { out, err, code } = await client(user(), command.split(" "), { isOutputTerminal });
    expect(code).toBe(1);
    expect(out + err).not.toMatch(OBEYED);
    expect(err).toContain("beckon: ");
  }
});

test("JSON says what the service has said, with escapes; CSV keeps the ends of its lines", async () => {
  answer = friendly;
  expect((await client(user(), ["links", "prj_1"])).json().links).toEqual(answers.links);
  expect((await client(user(), ["call", "get_account"], { isOutputTerminal: true })).json()).toEqual(answers);
  const { out } = await client(user(), ["links", "prj_1", "--csv"]);
  expect(out).toMatch(/^"url"\r\n"\ufffd.*"\r\n"last"\r\n$/);
});
