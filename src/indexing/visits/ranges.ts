import { eq } from "drizzle-orm";
import type { Engine, Reader } from "../../../db/engine.ts";
import { FetchFailure, type HttpClient } from "../../platform/http-client/http-client.ts";
import { type IpNetwork, ipNetworkIn, NetworkSet } from "../../platform/ip-network.ts";
import {
  type PublishedRanges,
  RANGE_FILE_NAMES,
  RANGE_FILES,
  type RangeFile,
  RefusedRanges,
  rangesIn,
} from "./range-files.ts";
import SHIPPED from "./shipped-ranges.json" with { type: "json" };

/** Whether an address is in a list of networks. */
export type Ranges = (file: RangeFile, address: string) => boolean;

/** The lists as they were last read; the ones that ship with the program where none was. */
export async function rangesOf(db: Reader): Promise<Ranges> {
  const { name, networks } = db.t.crawlerRanges;
  const rows = await db.q.select({ name, networks }).from(db.t.crawlerRanges);
  const read = new Map(rows.map((row) => [row.name, row.networks]));
  return (file, address) => setOf(file, read.get(file) ?? shipped(file)).has(address);
}

function shipped(file: RangeFile): string {
  return (SHIPPED as Partial<Record<RangeFile, string>>)[file] ?? "";
}

/** The set of each list, with the text that it was made of. */
const sets = new Map<RangeFile, { readonly text: string; readonly set: NetworkSet }>();

function setOf(file: RangeFile, text: string): NetworkSet {
  const known = sets.get(file);
  if (known?.text === text) return known.set;
  const networks = text.split(" ").map(ipNetworkIn);
  const set = new NetworkSet(networks.filter((one): one is IpNetwork => one !== null));
  sets.set(file, { text, set });
  return set;
}

const REQUEST = {
  accept: "application/json",
  timeMs: 20_000,
  maxWireBytes: 1024 * 1024,
  maxBytes: 1024 * 1024,
  redirects: 2,
  sameHost: true,
} as const;

interface RefreshDeps {
  readonly db: Engine;
  readonly http: Pick<HttpClient, "fetchPublic">;
  /** Real time. */
  readonly now: number;
}

/**
 * Reads every list from its operator, one after the other. A file that is not there, or cannot be true, changes nothing: the list
 * that was read before stays.
 * @returns why lists were not replaced
 */
export async function refreshRanges(deps: RefreshDeps): Promise<Partial<Record<RangeFile, string>>> {
  const refused: Partial<Record<RangeFile, string>> = {};
  for (const file of RANGE_FILE_NAMES) {
    try {
      await replace(deps, file, rangesIn(await textOf(deps.http, RANGE_FILES[file]), deps.now));
    } catch (thrown) {
      if (!(thrown instanceof RefusedRanges || thrown instanceof FetchFailure)) throw thrown;
      refused[file] = thrown.message;
    }
  }
  return refused;
}

async function textOf(http: RefreshDeps["http"], url: string): Promise<string> {
  const response = await http.fetchPublic(url, REQUEST);
  if (response.status !== 200) {
    response.discard();
    throw new RefusedRanges(`HTTP ${response.status}`);
  }
  const chunks: Buffer[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

/** @throws RefusedRanges for a file that is older than the one that was read before */
async function replace(
  { db, now }: RefreshDeps,
  name: RangeFile,
  { networks, publishedAt }: PublishedRanges,
): Promise<void> {
  await db.tx(async ({ q, t: { crawlerRanges } }) => {
    const [known] = await q.select().from(crawlerRanges).where(eq(crawlerRanges.name, name));
    if (publishedAt !== null && publishedAt < (known?.publishedAt ?? 0))
      throw new RefusedRanges("it is older than the file that was read before");
    const row = { networks: networks.join(" "), publishedAt, readAt: now };
    await q
      .insert(crawlerRanges)
      .values({ name, ...row })
      .onConflictDoUpdate({ target: crawlerRanges.name, set: row });
  });
}
