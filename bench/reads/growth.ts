import { join } from "node:path";
import type { Engine, Tx } from "../../db/engine.ts";
import { openDatabase } from "../../db/open.ts";
import { type Call, call, type Services } from "../../src/contract/call.ts";
import { createAccount } from "../../src/domain/accounts/accounts.ts";
import { post } from "../../src/domain/ledger/ledger.ts";
import { createProject } from "../../src/domain/projects/create.ts";
import { readConfig } from "../../src/platform/config/config.ts";
import { linkId } from "../../src/platform/ids.ts";
import { SCOPES } from "../../src/platform/principal.ts";
import { packUrls } from "../../src/platform/urls/packed-urls.ts";
import { operations } from "../../tools/index.ts";
import { costOf, inFolder, median, pageUrl, round } from "../support.ts";
import { POSITION, READS, type ReadName } from "./samples.ts";

/** Projects of an account, and links of its newest project. */
const SIZES = [
  { projects: 1, links: 1 },
  { projects: 100, links: 100 },
  { projects: 1_000, links: 1_000 },
  { projects: 20_000, links: 10_000 },
];

/** The first size with full pages. From a list of one to a page of a hundred, the cost would show the page, not the growth. */
const FULL = SIZES[1]!;

/**
 * CPU of each read, in µs, as its account and project grow: the operation with validation and output check, from the database
 * of this process, without HTTP. Medians of `rounds`, each of so many calls that the clock of CPU time is not too coarse for them.
 */
export async function benchGrowth(rounds: number) {
  return inFolder(async (folder) => {
    const db = await openDatabase(`file:${join(folder, "growth.db")}`, { durable: false });
    const columns = [];
    for (const size of SIZES) columns.push({ size, owner: await fill(db, size) });
    const rows: Record<string, Record<string, number>> = {};
    for (const name of Object.keys(READS) as ReadName[]) {
      const figures = columns.map(() => [] as number[]);
      // The first round warms up the JIT compiler, and shows how many calls fill a round.
      let calls = LEAST_CALLS;
      for (let turn = 0; turn <= rounds; turn++) {
        let most = 0;
        for (const [at, { owner }] of columns.entries()) {
          const { cpu } = await costOf(() => callMany(db, name, owner, calls));
          most = Math.max(most, cpu);
          if (turn > 0) figures[at]!.push((cpu * 1_000) / calls);
        }
        if (turn === 0) calls = Math.ceil(LEAST_CALLS * Math.max(1, ROUND_MS / most));
      }
      rows[name] = Object.fromEntries(
        columns.map(({ size }, at) => [titleOf(size), round(median(figures[at]!))] as const),
      );
    }
    await db.close();
    return { rows, first: titleOf(FULL), last: titleOf(SIZES.at(-1)!) };
  });
}

/** Calls of a round, and ms of CPU that it takes at least, about. */
const LEAST_CALLS = 1_000;
const ROUND_MS = 50;
const titleOf = ({ projects, links }: (typeof SIZES)[number]) => `${projects} projects, ${links} links`;

interface Owner {
  readonly accountId: string;
  readonly project: string;
  /** Of the link that is read. */
  readonly position: number;
}

async function callMany(db: Engine, name: ReadName, { accountId, project, position }: Owner, calls: number) {
  const operation = operations.find((one) => one.name === name)!;
  const now = () => Date.now();
  const services = { db, clock: { now, service: now }, config: readConfig({}) } as unknown as Services;
  const fields = { project_id: project, link_id: linkId(project, position) };
  const input = Object.fromEntries(
    Object.entries(fields).filter(([field]) => Object.hasOwn(operation.input.shape, field)),
  );
  const principal = {
    accountId,
    personId: null,
    role: null,
    credential: { id: "key", type: "api_key", name: "bench", scopes: SCOPES, holder: "key" },
  } as const;
  const wanted: Call = { operation, input, audience: "program", principal, requestsToday: 1 };
  for (let n = 0; n < calls; n++) await call(services, wanted);
}

async function fill(db: Engine, { projects, links }: (typeof SIZES)[number]): Promise<Owner> {
  const now = Date.now();
  const draft = { kind: "index", mode: "standard", bing: false, yandex: false, dripDays: 0 } as const;
  const accountId = await db.tx(async (tx) => {
    const { id } = await createAccount(tx, { email: `${projects}@example.com`, now });
    const credits = projects + links;
    await post(tx, { accountId: id, kind: "adjustment", credits, source: "bench", description: "", now });
    return id;
  });
  const times = { now, service: now };
  const create = (tx: Tx, name: string, urls: readonly string[]) =>
    createProject(tx, { ...draft, accountId, urls: packUrls(urls), ...times, name });
  for (let first = 1; first < projects; first += 500) {
    await db.tx(async (tx) => {
      for (let n = first; n < Math.min(projects, first + 500); n++) await create(tx, `Page ${n}`, [pageUrl(n)]);
    });
  }
  const urls = Array.from({ length: links }, (_, n) => pageUrl(n));
  const { project } = await db.tx((tx) => create(tx, "All of a site", urls));
  return { accountId, project: project.id, position: Math.min(POSITION, links - 1) };
}
