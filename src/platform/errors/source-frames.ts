import { existsSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { packageRoot } from "../package-root.ts";

/** A place in a file of the program, as V8 writes it in a stack trace. */
const PLACE = /(file:\/\/[^\s()]+\.js):(\d+):(\d+)/g;

/** The source maps that have been read, by their file. Null if the file has none. */
const maps = new Map<string, SourceMap | null>();

/**
 * A stack trace with places in the sources instead of the bundles (scripts/build/server.mjs). The first error reads
 * the maps, because Node.js would read all of them at the start.
 */
export function sourceFrames(frames: string): string {
  return frames.replace(PLACE, (place, url: string, line: string, column: string) => {
    const file = fileURLToPath(url);
    const entry = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (!entry || !("originalSource" in entry)) return place;
    const source = relative(packageRoot, join(dirname(file), entry.originalSource));
    return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });
}

function mapOf(file: string): SourceMap | null {
  const known = maps.get(file);
  if (known !== undefined) return known;
  const path = join(dirname(file), `${basename(file)}.map.gz`);
  const map = existsSync(path) ? new SourceMap(JSON.parse(gunzipSync(readFileSync(path)).toString())) : null;
  maps.set(file, map);
  return map;
}
