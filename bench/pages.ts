import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { type Browser, chromium } from "playwright-core";
import { h } from "preact";
import { renderToString } from "preact-render-to-string";
import { ensureBrowser } from "../scripts/setup/browser.mjs";
import type { Progress } from "../src/domain/projects/progress.ts";
import { FoundLine } from "../src/surfaces/website/charts/found-line.tsx";
import { median, pageUrl, round } from "./support.ts";

const LINKS = 10_000;
const PROJECTS = 20_000;

interface Facts {
  readonly address: string;
  readonly key: string;
  readonly cookie: string;
  readonly project: string;
  readonly history: Progress["history"];
  readonly from: number;
  readonly to: number;
}

/**
 * What pages cost the server, one request after the other: CPU of its process, and wall time at the client. Medians of
 * `rounds` rounds of `calls` requests, after one that warms up.
 */
export async function benchPages(rounds: number, calls: number) {
  const server = fork(new URL("pages-server.ts", import.meta.url), [String(LINKS), String(PROJECTS)], {
    execArgv: ["--import", "tsx"],
  });
  const [facts] = (await once(server, "message")) as [Facts];
  const { address, key, project } = facts;
  const cookie = { Cookie: `sid=${facts.cookie}` };
  const page = `${address}/dashboard/projects/${project}`;
  const etag = (await fetch(page, { headers: cookie })).headers.get("etag")!;
  const links = (n: number) => `search=${encodeURIComponent(pageUrl((n * 7919) % LINKS).slice(-30))}`;
  const documentTag = (await fetch(`${address}/docs/limits`)).headers.get("etag")!;
  const questions: Record<string, Question> = {
    "an unchanged document, for comparison": {
      url: () => `${address}/docs/limits`,
      // Left alone, fetch sends no-cache with the tag.
      headers: { "If-None-Match": documentTag, "Cache-Control": "max-age=0" },
      status: 304,
    },
    "an unchanged project, asked by its ETag": {
      url: () => page,
      headers: { ...cookie, "If-None-Match": etag },
      status: 304,
    },
    "a project of 10,000 URLs": { url: () => page, headers: cookie },
    "list_links, one of 10,000 searched": {
      url: (n) => `${address}/api/v1/projects/${project}/links?${links(n)}`,
      headers: { Authorization: `Bearer ${key}` },
    },
    "the same on its page": { url: (n) => `${page}?${links(n)}`, headers: cookie },
    "20,000 projects, the newest first": { url: () => `${address}/dashboard/projects`, headers: cookie },
    "20,000 projects, by pages in Google": {
      url: () => `${address}/dashboard/projects?sort=-indexed`,
      headers: cookie,
    },
    "20,000 projects, one searched": {
      url: (n) => `${address}/dashboard/projects?search=${(n * 7919) % PROJECTS}`,
      headers: cookie,
    },
  };
  try {
    const costs: Record<string, { cpu: number; wall: number }> = {};
    for (const [name, question] of Object.entries(questions))
      costs[name] = await costOf(server, question, rounds, calls);
    return { costs, chart: chartCost(facts, rounds, calls), loads: await loadTimes(facts) };
  } finally {
    server.kill();
  }
}

interface Question {
  readonly url: (n: number) => string;
  readonly headers: Readonly<Record<string, string>>;
  readonly status?: number;
}

async function costOf(server: ChildProcess, { url, headers, status = 200 }: Question, rounds: number, calls: number) {
  const [cpu, wall]: [number[], number[]] = [[], []];
  for (let turn = 0; turn <= rounds; turn++) {
    await ask(server, "reset");
    const from = performance.now();
    for (let n = 0; n < calls; n++) {
      const response = await fetch(url(turn * calls + n), { headers });
      await response.arrayBuffer();
      if (response.status !== status) throw new Error(`${url(n)} answered ${response.status}`);
    }
    const ms = performance.now() - from;
    const { cpuUs } = await ask(server, "read");
    if (turn === 0) continue;
    cpu.push(cpuUs / 1000 / calls);
    wall.push(ms / calls);
  }
  return { cpu: round(median(cpu), 2), wall: round(median(wall), 2) };
}

async function ask(server: ChildProcess, message: "reset" | "read"): Promise<{ cpuUs: number }> {
  server.send(message);
  const [answer] = (await once(server, "message")) as [{ cpuUs: number }];
  return answer;
}

/** The chart alone, from its rows to its SVG, in ms. */
function chartCost({ history, from, to }: Facts, rounds: number, calls: number): number {
  const times: number[] = [];
  for (let turn = 0; turn <= rounds; turn++) {
    const start = performance.now();
    for (let n = 0; n < calls; n++)
      renderToString(h(FoundLine, { points: history, total: LINKS, from, to, next: null, description: "Bench" }));
    if (turn > 0) times.push((performance.now() - start) / calls);
  }
  return round(median(times), 2);
}

/** A slow phone: 1.6 Mbit/s, answers 150 ms late, and a CPU four times slower (Lighthouse, "Slow 4G"). */
const SLOW = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const CPU_RATE = 4;
const LOADS = 5;

/** When the largest element of each page is painted (largest contentful paint), in ms. */
async function loadTimes({
  address,
  cookie,
  project,
}: Facts): Promise<Record<string, { desk: number; phone: number }>> {
  const paths = {
    "front page": "/",
    "box for strangers": "/try",
    "sign up": "/sign-up",
    pricing: "/pricing",
    buy: "/dashboard/buy",
    "docs of an operation": "/docs/operations/submit_urls",
    projects: "/dashboard/projects",
    project: `/dashboard/projects/${project}`,
    "new project": "/dashboard/projects/new",
  };
  const browser = await chromium.launch({
    executablePath: ensureBrowser(),
    chromiumSandbox: process.getuid?.() !== 0,
  });
  const times: Record<string, { desk: number; phone: number }> = {};
  for (const [name, path] of Object.entries(paths)) {
    const of = (width: number, height: number) => loadTime(browser, address + path, cookie, { width, height });
    times[name] = { desk: await of(1440, 900), phone: await of(390, 844) };
  }
  await browser.close();
  return times;
}

async function loadTime(
  browser: Browser,
  url: string,
  sid: string,
  viewport: { width: number; height: number },
): Promise<number> {
  const times: number[] = [];
  for (let load = 0; load < LOADS; load++) {
    const context = await browser.newContext({ viewport });
    await context.addCookies([{ name: "sid", value: sid, url }]);
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", SLOW);
    await session.send("Emulation.setCPUThrottlingRate", { rate: CPU_RATE });
    await page.goto(url, { waitUntil: "load" });
    times.push((await page.evaluate(LARGEST_PAINT)) as number);
    await context.close();
  }
  return round(median(times), 0);
}

const LARGEST_PAINT = `new Promise((resolve) => {
  new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime)).observe({ type: "largest-contentful-paint", buffered: true });
})`;
