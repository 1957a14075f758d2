/** Maximum sizes of what callers send and of what they get at once. */
export const SIZES = {
  urlsPerSubmission: 10_000,
  itemsPerRequest: 20_000,
  urlLength: 4_096,
  /** Fewest pages that can be held out, and the percentages of a list that can be. */
  fewestHeld: 20,
  holdoutPercent: { least: 5, most: 50 },
  urlsPerNotification: 1_000,
  /** Pages that are read at once for somebody without an account. */
  urlsPerTrial: 10,
  /** Of each list in a report. */
  reportRows: 100,
  crawlRows: 50,
  coverageHosts: 100,
  coverageDays: 400,
  reasons: 50,
  /** Of a report of what was spent. */
  reportDays: 400,
  sitemapUrl: 2_048,
  sitemapOffset: 1_000_000,
  normalisedUrlBytes: 8_192,
  projectName: 120,
  tagsPerProject: 10,
  /** Characters of a tag. */
  tag: 40,
  idempotencyKey: 255,
  linksPerPage: 500,
  /** Characters of a text to search for. */
  search: 200,
  /** Of each kind, in an answer of `search`. */
  found: 20,
  pageLimit: 200,
  pageOffset: 100_000,
  activeKeys: 10,
  passkeys: 20,
  sitesPerAccount: 100,
  /** To Search Console and Bing Webmaster. */
  connectionsPerAccount: 20,
  webhooksPerAccount: 10,
  /** Watches that are stopped do not count. */
  watchesPerAccount: 100,
  /** Path patterns of a watch, in each of its two lists, and the characters of one. */
  patterns: 50,
  patternLength: 100,
  pushConfigsPerTask: 5,
  /** On tasks that have not ended. */
  pushConfigsPerAccount: 100,
  /** Projects, or lists of links, whose changes are sent to an account's MCP clients. */
  subscriptionsPerAccount: 200,
  /** That have not ended. */
  sharesPerAccount: 100,
  share: { days: 400, title: 120, from: 80 },
  webhookUrl: 2_000,
  webhookDescription: 200,
  /** Characters of a host field, which may hold a whole URL. */
  hostField: 2_048,
} as const;
