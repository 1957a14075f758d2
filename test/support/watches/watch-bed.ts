import { eq } from "drizzle-orm";
import type { WatchRow } from "../../../src/domain/watches/rows.ts";
import { allRunsOf, type RunRow } from "../../../src/domain/watches/runs.ts";
import { saveWatch } from "../../../src/domain/watches/save-watch.ts";
import type { WatchChange } from "../../../src/domain/watches/watches.ts";
import { commitRun, prepareRun, type WatcherDeps } from "../../../src/indexing/watches/run-watch.ts";
import { Watcher } from "../../../src/indexing/watches/watcher.ts";
import { ownerPrincipal } from "../database/people.ts";
import { testStore } from "../database/store.ts";
import { VirtualSite } from "./virtual-site.ts";

export const SITEMAP = "https://example.com/sitemap.xml";

/** The domain and the watcher over a temporary database and a website without sockets. */
export async function watchBed() {
  const store = await testStore();
  const { db, clock } = store;
  const site = new VirtualSite();
  const errors: object[] = [];
  const deps = {
    db,
    clock,
    http: site.http,
    config: { mode: "sandbox", engines: [], providers: {}, preflight: false } as unknown as WatcherDeps["config"],
  };
  const watcher = new Watcher(deps, { error: (details) => errors.push(details) });
  const times = () => ({ now: clock.now(), service: clock.service() });
  const reload = async ({ no }: Pick<WatchRow, "no">) => {
    const [row] = await db.q.select().from(db.t.watches).where(eq(db.t.watches.no, no));
    return row!;
  };
  return {
    ...store,
    site,
    errors,
    deps,
    watcher,
    reload,
    times,
    /** Makes or changes a watch of a person. */
    watch: (accountId: string, change: WatchChange = {}, url = SITEMAP) =>
      db.tx(async (tx) => {
        const principal = await ownerPrincipal(tx, accountId);
        return saveWatch(tx, { principal, watchId: undefined, url, change, ...times() });
      }),
    /** Runs a watch now, by whoever. @returns its newest run */
    async run(watch: Pick<WatchRow, "no">, isReleased = false): Promise<RunRow> {
      const row = await reload(watch);
      const prepared = await prepareRun(deps, row, { accepted: isReleased ? row.heldDigest : null });
      const principal = await ownerPrincipal(db, row.accountId);
      await db.tx((tx) => commitRun(tx, prepared, { principal, preflight: false, times: times() }));
      return (await allRunsOf(db, row)).at(-1)!;
    },
    runs: (watch: Pick<WatchRow, "no">) => allRunsOf(db, watch),
    /** The URLs of all projects of an account, in the order of submission. */
    async submitted(accountId: string): Promise<string[]> {
      const { projects } = db.t;
      const rows = await db.q.select().from(projects).where(eq(projects.accountId, accountId)).orderBy(projects.no);
      const lists = [];
      for (const row of rows) lists.push((await store.links(row)).map(({ link }) => link.url));
      return lists.flat();
    },
    /** Types and data of an account's events. */
    async events(accountId: string) {
      const { events } = db.t;
      const rows = await db.q.select().from(events).where(eq(events.accountId, accountId)).orderBy(events.no);
      return rows.map(({ type, data }) => ({ type, data: JSON.parse(data) }));
    },
    async close() {
      await watcher.stop();
      await store.close();
    },
  };
}
