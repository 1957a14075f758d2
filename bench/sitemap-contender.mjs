import { readFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { request } from "undici";

/**
 * Reads a sitemap in a process of its own, as plain Node runs it: `node sitemap-contender.mjs NAME ADDRESS RUNS MS`.
 * After a first reading it reads RUNS times and on until MS are over. Tells its parent what the cheapest of these
 * readings cost, and the most memory it held until the last of RUNS.
 */
const CONTENDERS = {
  /** The product, bundled, from the fetch to the list without duplicates. */
  async beckon(address) {
    const { createHttpClient, readPages } = await import(process.env.SITEMAP_READER);
    const port = Number(new URL(address).port);
    const http = createHttpClient({
      siteUrl: null,
      contact: null,
      fetchAllowCidrs: ["127.0.0.0/8"],
      fetchAllowPorts: [port],
    });
    return async () => {
      const { found, accepted } = await readPages({ http }, address);
      return { entries: found, urls: accepted.length };
    };
  },

  async sitemapper(address) {
    const { default: Sitemapper } = await import("sitemapper");
    return async () => {
      const { sites } = await new Sitemapper({ url: address, timeout: 60_000 }).fetch();
      return { entries: sites.length };
    };
  },

  async "fast-xml-parser"(address) {
    const { XMLParser } = await import("fast-xml-parser");
    const { gunzipSync } = await import("node:zlib");
    const most = { maxTotalExpansions: Infinity, maxExpandedLength: Infinity, maxEntityCount: Infinity };
    return async () => {
      const body = Buffer.from(await (await bodyOf(address)).arrayBuffer());
      const text = (body[0] === 0x1f ? gunzipSync(body) : body).toString();
      const parser = new XMLParser({ ignoreAttributes: true, processEntities: { enabled: true, ...most } });
      return { entries: parser.parse(text).urlset.url.map(({ loc }) => loc).length };
    };
  },

  async saxes(address) {
    const { SaxesParser } = await import("saxes");
    const { createGunzip } = await import("node:zlib");
    return async () => {
      const entries = [];
      const parser = new SaxesParser();
      let loc = null;
      parser.on("opentag", ({ name }) => {
        if (name === "loc") loc = "";
      });
      parser.on("text", (text) => {
        if (loc !== null) loc += text;
      });
      parser.on("closetag", () => {
        if (loc !== null) entries.push(loc);
        loc = null;
      });
      const body = await bodyOf(address);
      const decoder = new TextDecoder();
      for await (const chunk of address.endsWith(".gz") ? body.pipe(createGunzip()) : body) {
        parser.write(decoder.decode(chunk, { stream: true }));
      }
      parser.close();
      return { entries: entries.length };
    };
  },
};

async function bodyOf(address) {
  return (await request(address)).body;
}

/** ms of user and system time, all threads. */
function cpuSince(from) {
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1000;
}

/** Of this process alone: resourceUsage().maxRSS begins with what the parent held when it forked. */
function peakMegabytes() {
  if (process.platform !== "linux") return process.resourceUsage().maxRSS / 1024;
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1]) / 1024;
}

const [name, address, runs, ms] = process.argv.slice(2);
const read = await CONTENDERS[name](address);
const start = performance.now();
let refused = null;
const first = await read().catch((thrown) => {
  refused = thrown.code ?? thrown.name;
});
const wall = performance.now() - start;
let peak = peakMegabytes();
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
const costs = [];
for (const end = performance.now() + Number(ms); costs.length < runs || performance.now() < end; ) {
  const from = process.cpuUsage();
  await read();
  costs.push(cpuSince(from));
  if (costs.length === Number(runs)) peak = peakMegabytes();
}
// The timer's own resolution of 1 ms is part of every delay it sees.
const stall = Math.max(0, delay.percentile(99) / 1e6 - 1);
process.send({ ...first, refused, wall, peak, stall, cpu: Math.min(...costs) });
process.disconnect();
