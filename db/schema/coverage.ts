import type { Kit } from "../dialect.ts";

/** What Google has of an account's pages, by host and day: counted from the newest verdict of each URL. */
export function coverageTables(k: Kit) {
  /** Verdicts that are not counted yet: a row for each step that came to some. */
  const coverageChanges = k.table("coverage_changes", {
    id: k.serial("id"),
    bucket: k.small("bucket").notNull(),
    projectNo: k.big("project_no").notNull(),
    /** Service time. */
    at: k.big("at").notNull(),
    /** JSON: the verdicts by sets of links (src/domain/coverage/changes.ts). */
    verdicts: k.text("verdicts").notNull(),
  });

  /** The newest verdict of each URL, whichever project it came from. */
  const coveragePages = k.table(
    "coverage_pages",
    {
      accountId: k.text("account_id").notNull(),
      /** 53 bits of the hash of the URL. */
      urlHash: k.big("url_hash").notNull(),
      /** indexed | not_indexed | unknown */
      verdict: k.text("verdict").notNull(),
      /** Why it is not indexed; null where it is not said. */
      reason: k.text("reason"),
      /** Service time of the verdict. */
      at: k.big("at").notNull(),
      /** 1 once Google has had it. */
      wasFound: k.int("was_found").notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.accountId, t.urlHash] })],
  );

  /** How many pages of a host have which verdict now. */
  const coverageHosts = k.table(
    "coverage_hosts",
    {
      accountId: k.text("account_id").notNull(),
      host: k.text("host").notNull(),
      pages: k.int("pages").notNull(),
      inGoogle: k.int("in_google").notNull(),
      notInGoogle: k.int("not_in_google").notNull(),
      /** JSON: how many pages are not in Google, by reason. */
      reasons: k.text("reasons").notNull(),
      /** JSON: how many pages were first found, by tenths of a day after they were sent. */
      found: k.text("found").notNull(),
      /** Service time of the newest change that is counted. */
      asOf: k.big("as_of").notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.accountId, t.host] })],
  );

  /** The counts at the end of each UTC day of service time on which they changed. */
  const coverageDays = k.table(
    "coverage_days",
    {
      accountId: k.text("account_id").notNull(),
      host: k.text("host").notNull(),
      /** Days since 1970. */
      day: k.int("day").notNull(),
      pages: k.int("pages").notNull(),
      inGoogle: k.int("in_google").notNull(),
      notInGoogle: k.int("not_in_google").notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.accountId, t.host, t.day] }), k.index("coverage_days_day").on(t.day)],
  );

  return { coverageChanges, coveragePages, coverageHosts, coverageDays };
}
