import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import type { Engine } from "../../../db/engine.ts";
import { createAccount } from "../../../src/domain/accounts/accounts.ts";
import { audit } from "../../../src/domain/audit/audit.ts";
import { balanceOf, entriesOf } from "../../../src/domain/ledger/ledger.ts";
import { bookSandboxOrder } from "../../../src/domain/payments/cards/sandbox/book-order.ts";
import { PACKS } from "../../../src/domain/payments/orders/packs.ts";
import { createProject } from "../../../src/domain/projects/create.ts";
import type { IndexDraft } from "../../../src/domain/projects/draft.ts";
import { linksOf } from "../../../src/domain/projects/list-links.ts";
import type { LinkRecord, ProjectRow } from "../../../src/domain/projects/read.ts";
import { packUrls } from "../../../src/platform/urls/packed-urls.ts";
import { TestClock } from "../service/clock.ts";
import type { TestDatabase } from "./database.ts";
import { withForcedRetries } from "./forced-retries.ts";
import { openEmpty } from "./open-empty.ts";

export interface TestStore {
  /** As DATABASE_URL. */
  readonly url: string;
  readonly db: Engine;
  readonly clock: TestClock;
  /** Creates an account that has paid for credits. @returns its id */
  account(credits: number): Promise<string>;
  index(accountId: string, urls: readonly string[], more?: Partial<IndexDraft>): Promise<ProjectRow>;
  check(accountId: string, urls: readonly string[]): Promise<ProjectRow>;
  /** Reads the project again. */
  reload(project: ProjectRow): Promise<ProjectRow>;
  links(project: ProjectRow): Promise<LinkRecord[]>;
  balance(accountId: string): Promise<number>;
  /** Kinds and credits of the ledger, oldest first. */
  ledger(accountId: string): Promise<(readonly [kind: string, credits: number])[]>;
  /** Problems that the audit finds. */
  problems(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** The domain over a temporary database, without any surface. @param made default: a new database of the run's dialect */
export async function testStore(made?: Promise<TestDatabase>): Promise<TestStore> {
  const { url, db: opened, release } = await openEmpty(made);
  const db = withForcedRetries(opened);
  const clock = new TestClock();
  const times = () => ({ now: clock.now(), service: clock.service() });
  return {
    url,
    db,
    clock,
    account: (credits) =>
      db.tx(async (tx) => {
        const now = clock.now();
        const { id } = await createAccount(tx, { email: `${randomUUID()}@example.com`, now });
        await bookSandboxOrder(tx, { accountId: id, pack: PACKS[0], credits, now });
        return id;
      }),
    async index(accountId, urls, more = {}) {
      const draft = { kind: "index", mode: "standard", bing: false, yandex: false, dripDays: 0 } as const;
      const made = await db.tx((tx) =>
        createProject(tx, { ...draft, accountId, urls: packUrls(urls), ...times(), ...more }),
      );
      return made.project;
    },
    async check(accountId, urls) {
      const made = await db.tx((tx) =>
        createProject(tx, { kind: "check", accountId, urls: packUrls(urls), ...times() }),
      );
      return made.project;
    },
    async reload({ no }) {
      const [row] = await db.q.select().from(db.t.projects).where(eq(db.t.projects.no, no));
      return row!;
    },
    links: async (project) => (await linksOf(db, project, { state: null, limit: 10_000, offset: 0 })).records,
    balance: (accountId) => balanceOf(db, accountId),
    async ledger(accountId) {
      const { rows } = await entriesOf(db, accountId, { limit: 1_000, offset: 0 });
      return rows.reverse().map(({ kind, credits }) => [kind, credits] as const);
    },
    problems: async () => (await audit(db)).problems,
    close: release,
  };
}

/** Makes `count` URLs, all with one sandbox fate if it is given. */
export function pages(count: number, fate?: string): string[] {
  return Array.from({ length: count }, (_, i) => `https://example.com/${i}${fate ? `?sandbox=${fate}` : ""}`);
}
