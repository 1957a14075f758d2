import { fork } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { combined, GOOGLEBOT, OAI_SEARCHBOT, VERIFIED } from "../test/support/visits/log-lines.ts";
import { inFolder, round } from "./support.ts";
import { AT, LINKS, pathOf, type VisitsReading } from "./visits-reader.ts";

const PART = 4_000_000;

/** A log of 100 MB, imported in bodies of 4 MB as `beckon visits` sends them, and 64 MB in one body that is packed. */
export function benchVisits() {
  return inFolder(async (folder) => {
    const log = new LogWriter();
    const save = (name: string, body: Buffer) => {
      const path = join(folder, name);
      writeFileSync(path, body);
      return path;
    };
    const parts = Array.from({ length: 25 }, (_, index) => save(`${index}.log`, log.part()));
    const packed = save("64.gz", gzipSync(Buffer.concat(Array.from({ length: 16 }, () => log.part()))));
    const readings = {
      "100 MB in bodies of 4 MB": await read(join(folder, "parts.db"), parts),
      "64 MB in one body, packed": await read(join(folder, "packed.db"), [packed]),
    };
    const rows = Object.entries(readings).map(([name, { wall, cpu, peak, before, ...counts }]) => [
      name,
      { ...counts, s: round(wall / 1000), "CPU s": round(cpu / 1000), "more MB": round(peak - before) },
    ]);
    return {
      rows: Object.fromEntries(rows),
      parts: readings["100 MB in bodies of 4 MB"],
      packed: readings["64 MB in one body, packed"],
    };
  });
}

async function read(database: string, bodies: readonly string[]): Promise<VisitsReading> {
  const child = fork(new URL("./visits-reader.ts", import.meta.url), [`file:${database}`, ...bodies], {
    execArgv: ["--import", "tsx"],
  });
  const [reading] = (await once(child, "message")) as [VisitsReading];
  child.kill();
  return reading;
}

const PERSON =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

class LogWriter {
  #written = 0;

  part(): Buffer {
    const lines: string[] = [];
    for (let size = 0; size < PART - 400; size += lines.at(-1)!.length + 1) lines.push(this.#line(this.#written++));
    return Buffer.from(`${lines.join("\n")}\n`);
  }

  /** A line of a plausible log: a fifth of it is crawlers, a tenth of them forged, and half of what they read is a link. */
  #line(index: number): string {
    const page = { at: AT - (index % 86_400) * 1_000, path: pathOf((index * 7_919) % (2 * LINKS)) };
    if (index % 5 > 0) {
      const address = `203.0.${index % 256}.${(index >> 8) % 256}`;
      return combined({ ...page, agent: PERSON, address });
    }
    const forged = index % 50 === 0 ? { address: `198.51.100.${index % 256}` } : {};
    if (index % 2 === 0) return combined({ ...page, agent: GOOGLEBOT, ...forged });
    return combined({ ...page, agent: OAI_SEARCHBOT, address: VERIFIED.oai, ...forged });
  }
}
