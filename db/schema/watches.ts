import { isNotNull } from "drizzle-orm";
import type { Kit } from "../dialect.ts";

/** Sitemaps that are read again and again, the pages that are known of them, and what each reading came to. */
export function watchTables(k: Kit) {
  const watches = k.table(
    "watches",
    {
      no: k.serial("no"),
      id: k.text("id").notNull(),
      accountId: k.text("account_id").notNull(),
      /** Id of the API key or grant as which its runs spend; `person` for a signed-in person. */
      maker: k.text("maker").notNull(),
      /** The holder of the budget that its runs spend from; empty for a person. */
      holder: k.text("holder").notNull(),
      /** Normalised. */
      sitemapUrl: k.text("sitemap_url").notNull(),
      every: k.text("every").notNull(),
      newPages: k.text("new_pages").notNull(),
      changedPages: k.text("changed_pages").notNull(),
      removedPages: k.text("removed_pages").notNull(),
      /** JSON: lists of path patterns. */
      include: k.text("include").notNull(),
      exclude: k.text("exclude").notNull(),
      mode: k.text("mode").notNull(),
      mostPerRun: k.int("most_per_run").notNull(),
      creditsPerMonth: k.int("credits_per_month").notNull(),
      recheck: k.text("recheck").notNull(),
      stopWhenIndexed: k.bool("stop_when_indexed").notNull(),
      firstRun: k.text("first_run").notNull(),
      /** active | paused | stopped | held */
      status: k.text("status").notNull(),
      /** Why it is held or paused. */
      reason: k.text("reason"),
      /** SHA-256 of the difference that holds it; null: nothing does. */
      heldDigest: k.text("held_digest"),
      /** Grows with every change of the watch or of its pages: a run that began before one writes nothing. */
      revision: k.int("revision").notNull().default(0),
      runs: k.int("runs").notNull().default(0),
      /** Service time; null while it is paused or stopped. */
      nextRunAt: k.big("next_run_at"),
      /** Service time at which its sitemap was last read, by whomever; null: never. */
      readAt: k.big("read_at"),
      /** Real time until which a process runs it. */
      leaseUntil: k.big("lease_until"),
      /** The latest UTC month of service time in which it spent, as months since the year 0, and what it spent in it. */
      month: k.int("month").notNull().default(0),
      spentThisMonth: k.int("spent_this_month").notNull().default(0),
      /** The last month for which the account was told that the watch's credits are spent. */
      toldMonth: k.int("told_month").notNull().default(0),
      /** Runs that failed, one after the other. */
      failures: k.int("failures").notNull().default(0),
      /** How many pages the sitemap listed last, and how many of them wait to be taken. */
      pages: k.int("pages").notNull().default(0),
      waiting: k.int("waiting").notNull().default(0),
      /** Number of its rows in `watch_pages`: a power of two. */
      parts: k.int("parts").notNull().default(1),
      /** JSON: the documents of the last reading, with what a conditional request for each needs; null: none can be made. */
      documents: k.text("documents"),
      /** Pages that a month is estimated to submit; null: not known. */
      monthPages: k.int("estimate"),
      /** Pages that are looked up again, or will be once they are indexed. */
      recheckPages: k.int("recheck_pages").notNull().default(0),
      /** Service time at which indexed pages are looked up again; null: never. */
      recheckAt: k.big("recheck_at"),
      /** The check that looks them up now. */
      recheckProject: k.text("recheck_project"),
      /** The secret of its publish hook, sealed with SECRETS_KEY; null: it has none. */
      sealedHookSecret: k.text("sealed_hook_secret"),
      /** Service time from which on it runs because its hook was called; null: it was not. */
      calledAt: k.big("called_at"),
      createdAt: k.big("created_at").notNull(),
      /** When a caller or the person last made or changed it, in real time. */
      changedAt: k.big("changed_at").notNull().default(0),
    },
    (t) => [
      k.unique("watches_id").on(t.id),
      k.unique("watches_sitemap").on(t.accountId, t.sitemapUrl),
      k.index("watches_due").on(t.nextRunAt).where(isNotNull(t.nextRunAt)),
      k.index("watches_recheck_due").on(t.recheckAt).where(isNotNull(t.recheckAt)),
      k.index("watches_rechecked").on(t.recheckProject).where(isNotNull(t.recheckProject)),
      k.index("watches_called").on(t.calledAt).where(isNotNull(t.calledAt)),
    ],
  );

  /** What is known of a watch's pages: 16 bytes a page, ordered by hash and divided by its first bits (pages.ts). */
  const watchPages = k.table(
    "watch_pages",
    {
      watchNo: k.big("watch_no").notNull(),
      part: k.int("part").notNull(),
      accountId: k.text("account_id").notNull(),
      records: k.bytes("records").notNull(),
      /** Their URLs, compressed, in the same order; null where nobody is told of removed pages. */
      urls: k.bytes("urls"),
    },
    (t) => [k.primaryKey({ columns: [t.watchNo, t.part] }), k.index("watch_pages_account").on(t.accountId)],
  );

  const watchRuns = k.table(
    "watch_runs",
    {
      watchNo: k.big("watch_no").notNull(),
      /** 1, 2, 3… within the watch. */
      no: k.int("no").notNull(),
      accountId: k.text("account_id").notNull(),
      /** Service time. Several runs in a row that found nothing are one row, with the time of the last. */
      at: k.big("at").notNull(),
      /** done | held | failed | unchanged */
      result: k.text("result").notNull(),
      newPages: k.int("new_pages").notNull(),
      changedPages: k.int("changed_pages").notNull(),
      removedPages: k.int("removed_pages").notNull(),
      samePages: k.int("same_pages").notNull(),
      waiting: k.int("waiting").notNull(),
      submitted: k.int("submitted").notNull(),
      notified: k.int("notified").notNull(),
      creditsSpent: k.int("credits_spent").notNull(),
      projectId: k.text("project_id"),
      reason: k.text("reason"),
      /** JSON: some URLs of each kind. */
      examples: k.text("examples"),
      /** JSON: URLs of which engines have still to be notified; null once they are. */
      notifications: k.text("notifications"),
      /** Service time from which on they are to be notified. */
      notifyAt: k.big("notify_at"),
    },
    (t) => [
      k.primaryKey({ columns: [t.watchNo, t.no] }),
      k.index("watch_runs_account").on(t.accountId),
      k.index("watch_runs_notify").on(t.notifyAt).where(isNotNull(t.notifyAt)),
    ],
  );

  /** Pages that calls of publish hooks have named, until they are taken. */
  const namedPages = k.table(
    "named_pages",
    {
      no: k.serial("no"),
      watchNo: k.big("watch_no").notNull(),
      accountId: k.text("account_id").notNull(),
      /** Service time from which on they are taken. */
      at: k.big("at").notNull(),
      /** JSON: a list of normalised URLs. */
      urls: k.text("urls").notNull(),
      count: k.int("count").notNull(),
    },
    (t) => [
      k.index("named_pages_watch").on(t.watchNo),
      k.index("named_pages_at").on(t.at),
      k.index("named_pages_account").on(t.accountId),
    ],
  );

  return { watches, watchPages, watchRuns, namedPages };
}
