import { fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { buildSync } from "esbuild";
import { packageRoot } from "../src/platform/package-root.ts";
import { REQUIRE } from "../test/support/service/bundle-setup.ts";
import { sitemapOf } from "./sitemap-document.ts";
import { round } from "./support.ts";

const ENTRIES = 50_000;
const CONTENDERS = ["beckon", "sitemapper", "fast-xml-parser", "saxes"] as const;

interface Reading {
  entries?: number;
  /** ms */
  wall: number;
  /** ms, the least of several runs */
  cpu: number;
  /** MB, the highest use of memory */
  peak: number;
  /** 99th percentile of the delay of the event loop, in ms */
  stall: number;
  refused: string | null;
}

/**
 * A sitemap of 50,000 entries, plain and as gzip, read from a server on loopback by each contender in a process of
 * its own, at least `runs` times and for at least `ms`; then a gzip bomb, which only ours reads: a reader without limits runs out of memory.
 */
export async function benchSitemap(runs: number, ms: number) {
  const plain = Buffer.from(sitemapOf(ENTRIES));
  const packed = gzipSync(plain);
  const bomb = gzipSync(Buffer.alloc(300 * 1024 * 1024, 0x20));
  const documents: Record<string, Buffer> = { "/plain.xml": plain, "/packed.xml.gz": packed, "/bomb.xml.gz": bomb };
  const server = createServer((request, response) => response.end(documents[request.url!])).listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const readings: { contender: string; document: string; reading: Reading }[] = [];
    for (const document of ["plain.xml", "packed.xml.gz"]) {
      for (const contender of CONTENDERS) {
        const reading = await readingOf(contender, `${origin}/${document}`, runs, ms);
        if (reading.entries !== ENTRIES) throw new Error(`${contender} found ${reading.entries} in ${document}`);
        readings.push({ contender, document, reading });
      }
    }
    const rows = readings.map(({ contender, document, reading }) => {
      const ours = readings.find((one) => one.document === document && one.contender === "beckon")!.reading;
      return {
        document,
        contender,
        "CPU ms": round(reading.cpu),
        "× our CPU": round(reading.cpu / ours.cpu),
        "peak MB": round(reading.peak),
        "our memory / its": round(ours.peak / reading.peak, 2),
        "stall p99 ms": round(reading.stall),
      };
    });
    const { wall, peak, refused } = await readingOf("beckon", `${origin}/bomb.xml.gz`, 0, 0);
    return {
      rows,
      megabytes: { plain: round(plain.length / 1e6), packed: round(packed.length / 1e6, 2) },
      bomb: { bytes: bomb.length, refused, wall: round(wall), peak: round(peak) },
    };
  } finally {
    server.close();
  }
}

/** Bundles our reader as the service is bundled. @returns the URL of the module */
function readerModule(): string {
  const outdir = join(packageRoot, "node_modules/.cache/bench");
  buildSync({
    absWorkingDir: packageRoot,
    entryPoints: ["bench/sitemap-reader.ts"],
    outdir,
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    banner: { js: REQUIRE },
  });
  return pathToFileURL(join(outdir, "sitemap-reader.js")).href;
}

async function readingOf(contender: string, address: string, runs: number, ms: number): Promise<Reading> {
  const what = [contender, address, String(runs), String(ms)];
  // Ours with the young generation that the thread has in the product (src/process/bulk/executor.ts).
  const execArgv = contender === "beckon" ? ["--max-semi-space-size=4"] : [];
  const env = { ...process.env, SITEMAP_READER: readerModule() };
  const child = fork(new URL("./sitemap-contender.mjs", import.meta.url), what, { execArgv, env });
  let reading: Reading | undefined;
  child.on("message", (message: Reading) => {
    reading = message;
  });
  const [code] = await once(child, "exit");
  if (!reading) throw new Error(`${contender} ended with exit code ${code}`);
  return reading;
}
