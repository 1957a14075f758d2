import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { PROJECT_PAGE } from "../../../../src/surfaces/mcp/project-page.ts";
import { startBrowser } from "../../../support/website/browser.ts";

/** `SCREENSHOTS=folder npx vitest run test/src/surfaces/mcp/project-page.test.ts` also leaves pictures there. */
const browse = await startBrowser();

const project = {
  object: "project",
  id: "prj_b27wefbrxdw13",
  kind: "index",
  name: "Winter catalogue <b>2026</b>",
  mode: "standard",
  engines: { google: true, bing: true, yandex: true },
  drip_days: 0,
  status: "active",
  counts: { total: 1250, waiting: 150, checking: 300, indexed: 700, not_indexed: 80, failed: 20 },
  index_rate: 89.7,
  credits_spent: 1250,
  credits_returned: 100,
  created_at: "2026-01-05T12:00:00.000Z",
  completed_at: null,
  dashboard_url: "https://beckon.example/dashboard/projects/prj_b27wefbrxdw13",
};
const answer = (of: object) => ({ content: [{ type: "text", text: JSON.stringify(of) }], structuredContent: of });

/** What a client is: it frames the page in a sandbox of no origin, and speaks JSON-RPC with it. */
const HOST = `<!doctype html><meta charset="utf-8"><title>Host</title>
<style>body { margin: 0 } iframe { border: 0; height: 400px; width: 100% }</style>
<script>
  const seen = [];
  let context;
  const put = (html, given) => {
    context = given;
    const frame = document.createElement("iframe");
    frame.sandbox.add("allow-scripts");
    frame.srcdoc = html;
    document.body.append(frame);
  };
  const send = (message) => frames[0].postMessage({ jsonrpc: "2.0", ...message }, "*");
  const find = (what) => seen.find(({ id, method }) => method === what || id === what);
  addEventListener("message", ({ data }) => {
    seen.push(data);
    if (data.method === "ui/initialize") send({ id: data.id, result: { protocolVersion: "2026-01-26", ...context } });
  });
</script>`;

const server = createServer((_, res) => res.setHeader("Content-Type", "text/html").end(HOST)).listen(0, "127.0.0.1");
await once(server, "listening");
afterAll(() => server.close().closeAllConnections());
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly [field: string]: unknown;
}

/** A page of a client with ours in it, after the handshake. */
async function framed(context: object, options: BrowserContextOptions = {}) {
  const page = await (await browse({ viewport: { width: 720, height: 420 }, ...options })).newPage();
  const faults: string[] = [];
  const openedLinks: string[] = [];
  page.on("console", (said) => said.type() === "error" && faults.push(said.text()));
  page.on("pageerror", (err) => faults.push(String(err)));
  await page.goto(address);
  page.on("request", (request) => openedLinks.push(request.url()));
  const given = { hostCapabilities: { openLinks: {} }, hostContext: context };
  await page.evaluate(`put(${asScript(PROJECT_PAGE)}, ${asScript(given)})`);
  onTestFinished(() => {
    expect(faults).toEqual([]);
    expect(openedLinks.filter((url) => !url.startsWith("about:"))).toEqual([]);
  });
  await sent(page, "ui/notifications/initialized");
  const view = page.frames()[1]!;
  return { page, view, send: (message: object) => page.evaluate(`send(${asScript(message)})`) };
}

const asScript = (value: unknown) => JSON.stringify(value);

/** Waits until the page has sent such a message. */
async function sent(page: Page, what: string | number): Promise<Message> {
  const handle = await page.waitForFunction(`find(${asScript(what)})`);
  return (await handle.jsonValue()) as Message;
}

const result = (params: object) => ({ method: "ui/notifications/tool-result", params });

describe.each(["light", "dark"] as const)("%s", (theme) => {
  test("shows the answer, in the colours of the client", async () => {
    const { page, view, send } = await framed({ theme }, { colorScheme: theme === "light" ? "dark" : "light" });
    await send(result(answer(project)));
    await view.getByRole("heading", { name: "Winter catalogue <b>2026</b>" }).waitFor();
    const text = (await view.locator("main").textContent())!;
    expect(text).toContain("Indexing, standard · active · 1,250 URLs · since 2026-01-05");
    const rows = await view.locator("dl > div").allInnerTexts();
    expect(rows.map((row) => row.replace(/\s+/g, " "))).toEqual([
      "Indexed 700",
      "Checking 300",
      "Waiting 150",
      "Not indexed 80",
      "Failed 20",
      "Index rate after the last check",
      "Credits spent 1,250",
      "Credits returned 100",
    ]);
    const bar = view.getByRole("img", {
      name: "Indexed: 700, Checking: 300, Waiting: 150, Not indexed: 80, Failed: 20",
    });
    const widths = await bar
      .locator("i")
      .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().width));
    expect(widths[0]! / widths[1]!).toBeCloseTo(700 / 300, 1);
    const ground = await view.evaluate("getComputedStyle(document.body).backgroundColor");
    expect(ground).toBe(theme === "light" ? "rgb(255, 255, 255)" : "rgb(22, 25, 31)");
    if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/mcp-project-${theme}.png` });
  });
});

test("nothing is cut off on a phone", async () => {
  const { page, view, send } = await framed({ theme: "light" }, { viewport: { width: 340, height: 460 } });
  await send(
    result(answer({ ...project, name: "averylongname".repeat(9), kind: "check", mode: null, status: "completed" })),
  );
  await view.getByText("Index check").waitFor();
  expect(await view.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")).toBe(0);
  expect(await view.locator("#facts").textContent()).toContain("89.7 %");
  if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/mcp-project-phone.png` });
});

test("follows the MCP Apps protocol: initialises, reports its size, answers requests", async () => {
  const { page, view, send } = await framed({});
  const { params } = await sent(page, "ui/initialize");
  expect(params).toMatchObject({ protocolVersion: "2026-01-26", appInfo: { name: "beckon-project" } });
  await send(result(answer(project)));
  const tall = await view.evaluate("Math.ceil(document.body.getBoundingClientRect().height)");
  const isSizeChange = `({ method, params }) => method === "ui/notifications/size-changed" && params.height === ${tall}`;
  await page.waitForFunction(`seen.some(${isSizeChange})`);
  await send({ id: "bye", method: "ui/resource-teardown", params: {} });
  expect(await sent(page, "bye")).toEqual({ jsonrpc: "2.0", id: "bye", result: {} });
  await send({ id: "odd", method: "ui/coffee", params: {} });
  expect(await sent(page, "odd")).toMatchObject({ error: { code: -32601 } });
});

test("uses the colours of the client, and follows their change", async () => {
  const { view, send } = await framed({ styles: { variables: { "--color-background-primary": "rgb(1, 2, 3)" } } });
  const ground = () => view.evaluate("getComputedStyle(document.body).backgroundColor");
  expect(await ground()).toBe("rgb(1, 2, 3)");
  const variables = { "--color-background-primary": "rgb(4, 5, 6)" };
  await send({ method: "ui/notifications/host-context-changed", params: { styles: { variables } } });
  await expect.poll(ground).toBe("rgb(4, 5, 6)");
});

test("asks the client to open the dashboard, if the client can", async () => {
  const { page, view, send } = await framed({});
  await send(result(answer(project)));
  await view.getByRole("button", { name: "Open in the dashboard" }).click();
  expect((await sent(page, "ui/open-link")).params).toEqual({ url: project.dashboard_url });
});

test("says so if the answer is a refusal, or the call was cancelled", async () => {
  const { view, send } = await framed({});
  await send(result({ isError: true, content: [{ type: "text", text: "{}" }] }));
  await view.getByText("This project could not be read. The answer says why.").waitFor();
  await send(result(answer(project)));
  await view.getByRole("heading").waitFor();
  await send({ method: "ui/notifications/tool-cancelled", params: {} });
  await view.getByText("The call was cancelled.").waitFor();
  expect(await view.getByRole("heading").isVisible()).toBe(false);
});

test("runs only its own script, and makes no network requests", () => {
  const [, policy] = /Content-Security-Policy" content="([^"]+)"/.exec(PROJECT_PAGE)!;
  expect(policy).toMatch(
    /^default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256-\S+'; script-src 'sha256-\S+'$/,
  );
  expect(PROJECT_PAGE).not.toMatch(/https?:\/\/|innerHTML|eval/);
});
