import type { Kit } from "../dialect.ts";

/** Visits of crawlers, from the access logs of sites. No address of a visitor is stored. */
export function visitTables(k: Kit) {
  /** The visits of one crawler to one page of an account, which may be a link of several projects. */
  const visits = k.table(
    "visits",
    {
      id: k.serial("id"),
      accountId: k.text("account_id").notNull(),
      /** 53 bits of the hash of `url`, by which it is found. */
      urlHash: k.big("url_hash").notNull(),
      url: k.text("url").notNull(),
      /** A name of the table of crawlers. */
      agent: k.text("agent").notNull(),
      /** range | dns | no: how it is known that the crawler was who it said it was. */
      verified: k.text("verified").notNull(),
      firstAt: k.big("first_at").notNull(),
      lastAt: k.big("last_at").notNull(),
      count: k.big("count").notNull(),
      /** The status of the last answer; null where the log does not say it. */
      status: k.small("status"),
    },
    (t) => [
      k.unique("visits_page").on(t.accountId, t.urlHash, t.agent, t.verified),
      k.index("visits_last").on(t.lastAt),
    ],
  );

  /** Digests of the logs that were imported in the last days, so that the same one is not counted twice. */
  const visitImports = k.table(
    "visit_imports",
    {
      id: k.serial("id"),
      accountId: k.text("account_id").notNull(),
      siteId: k.text("site_id").notNull(),
      /** SHA-256 of the unpacked body, in hexadecimal digits. */
      digest: k.text("digest").notNull(),
      /** Real time. */
      at: k.big("at").notNull(),
    },
    (t) => [k.unique("visit_imports_digest").on(t.accountId, t.siteId, t.digest), k.index("visit_imports_at").on(t.at)],
  );

  /** The networks that the operators of crawlers publish, as last read. */
  const crawlerRanges = k.table("crawler_ranges", {
    name: k.text("name").primaryKey(),
    /** Separated by spaces. */
    networks: k.text("networks").notNull(),
    /** When its operator published it; null where the file does not say it. */
    publishedAt: k.big("published_at"),
    /** Real time. */
    readAt: k.big("read_at").notNull(),
  });

  return { visits, visitImports, crawlerRanges };
}
