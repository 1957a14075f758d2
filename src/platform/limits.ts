/**
 * Every limit on how many events may happen in a window, with the sentence of its refusal. `signIn` is what the documents say
 * of a limit of the pages where users sign in, which need a longer description than its name. With `countsMade` an operation counts
 * what it has made, in the transaction that makes it; without it, its calls.
 */
export const LIMITS = {
  requests_per_minute: {
    count: 120,
    window: "minute",
    per: "API key or connected app",
    sentence: "More than 120 requests in this minute.",
  },
  anonymous_requests_per_minute: {
    count: 60,
    window: "minute",
    per: "IP address without a valid credential",
    sentence: "More than 60 requests without a valid credential in this minute from this address.",
  },
  pages_per_minute: {
    count: 1_200,
    window: "minute",
    per: "IP address: pages and documents of the website, and OAuth metadata",
    sentence: "More than 1,200 pages were requested in this minute from this address.",
  },
  requests_per_day: {
    count: 20_000,
    window: "day",
    per: "account, all credentials",
    sentence: "More than 20,000 requests today. The count starts again at midnight UTC.",
  },
  submissions_per_day: {
    count: 500,
    window: "day",
    per: "account: projects and checks created",
    sentence: "500 projects and checks were created today. The count starts again at midnight UTC.",
  },
  sitemap_reads: {
    count: 20,
    window: "10 minutes",
    per: "account: sitemaps read or submitted",
    sentence: "More than 20 sitemap reads in these 10 minutes.",
  },
  searches: {
    count: 300,
    window: "10 minutes",
    per: "account: calls of search",
    sentence: "More than 300 searches in these 10 minutes.",
  },
  watch_runs: {
    count: 60,
    window: "hour",
    per: "account: calls of run_watch",
    sentence: "More than 60 calls of run_watch in this hour.",
  },
  watch_reads: {
    count: 20,
    window: "10 minutes",
    per: "account and host: readings of the watched sitemaps of a host",
    sentence: "More than 20 readings of watched sitemaps of this host in these 10 minutes.",
  },
  site_checks: {
    count: 20,
    window: "10 minutes",
    per: "account: calls of add_site",
    sentence: "More than 20 sites added or checked in these 10 minutes.",
  },
  visit_imports: {
    count: 600,
    window: "10 minutes",
    per: "account: access logs imported or pushed",
    sentence: "More than 600 logs were imported in these 10 minutes.",
  },
  notified_urls: {
    count: 10_000,
    window: "24 hours",
    per: "account: URLs of verified sites that notify_urls tells engines of",
    sentence: "More than 10,000 URLs would be announced in these 24 hours. Nothing was sent.",
  },
  checkout_links: {
    count: 20,
    window: "hour",
    per: "account: checkout links made",
    countsMade: true,
    sentence: "More than 20 checkout links were made in this hour.",
  },
  failed_payments: {
    count: 100,
    window: "10 minutes",
    per: "account: direct payments that were verified and not accepted",
    sentence: "Too many payments were not accepted in these 10 minutes.",
  },
  client_registrations: {
    count: 20,
    window: "hour",
    per: "IP address: OAuth clients registered",
    sentence: "More than 20 apps were registered from this address in this hour.",
  },
  agent_registrations: {
    count: 10,
    window: "hour",
    per: "IP address: agents registered",
    sentence: "More than 10 agents were registered from this address in this hour.",
  },
  client_documents: {
    count: 30,
    window: "10 minutes",
    per: "account: Client ID Metadata Documents fetched",
    sentence: "Too many apps were looked up in these 10 minutes.",
  },
  failed_sign_ins: {
    count: 5,
    window: "15 minutes",
    per: "e-mail address, and IP address or browser in which its owner has signed in before",
    sentence: "Too many failed attempts from here. A link by mail lets you in at once.",
    signIn: "Failed attempts to sign in with one e-mail address, from one IP address or one browser of its owner",
  },
  failed_sign_ins_per_address: {
    count: 30,
    window: "hour",
    per: "IP address",
    sentence: "Too many failed attempts from this network.",
    signIn: "Failed attempts to sign in from one IP address",
  },
  failed_sign_ins_in_a_row: {
    count: 100,
    window: "since the last sign-in",
    per: "account, in browsers that its owner has not signed in with: wrong passwords since the last sign-in or mailed link",
    sentence: "Too many wrong passwords were tried for this address. A link by mail lets you in at once.",
    signIn: "Wrong passwords in a row for one account, in browsers that its owner has not signed in with",
  },
  failed_sign_ins_without_account: {
    count: 100,
    window: "24 hours",
    per: "e-mail address without an account: wrong passwords",
    sentence: "Too many wrong passwords were tried for this address. A link by mail lets you in at once.",
    signIn: "Wrong passwords for an e-mail address without an account",
  },
  failed_sign_ins_per_person: {
    count: 50,
    window: "24 hours",
    per: "e-mail address: failed attempts from anywhere before its owner is notified; never refused",
    sentence: "More than 50 failed attempts for this address today.",
    signIn:
      "Failed attempts to sign in with one e-mail address, from anywhere; beyond this its owner is notified, and nobody is refused",
  },
  wrong_codes: {
    count: 10,
    window: "15 minutes",
    per: "account: wrong codes of an authenticator app, and wrong recovery codes",
    sentence: "Too many wrong codes.",
  },
  passkey_challenges: {
    count: 60,
    window: "10 minutes",
    per: "IP address: sign-ins by passkey begun",
    sentence: "Too many sign-ins by passkey were begun from this network.",
  },
  sign_in_notices: {
    count: 1,
    window: "24 hours",
    per: "e-mail address: notices that sign-in keeps failing",
    sentence: "The owner of this address was notified today.",
    signIn: "Notifications to the owner about failed attempts",
  },
  new_browser_notices: {
    count: 10,
    window: "24 hours",
    per: "account: notices of sign-ins with browsers that are not known",
    sentence: "The owner of this account was told of sign-ins often enough today.",
    signIn: "Notifications to the owner of one account about sign-ins with browsers that are not known",
  },
  sign_ups: {
    count: 20,
    window: "hour",
    per: "IP address: sign-ups and mailed links requested",
    sentence: "Too many links were requested from this network.",
    signIn: "Sign-ups and requests for a link by e-mail, from one IP address",
  },
  invitations: {
    count: 20,
    window: "hour",
    per: "account: invitations",
    sentence: "This account has invited too many people.",
    signIn: "Invitations of one account",
  },
  issuer_sign_ins: {
    count: 300,
    window: "hour",
    per: "IP address: browsers sent to the issuer of single sign-on",
    sentence: "Too many browsers of this network were sent to sign in.",
    signIn: "Browsers sent to the issuer of single sign-on, from one IP address",
  },
  mailed_links: {
    count: 5,
    window: "hour",
    per: "e-mail address, and IP address or browser in which its owner has signed in before: links of one kind mailed to it",
    sentence: "Too many links were mailed to this address.",
    signIn: "Links of one kind sent to one e-mail address, requested from one IP address or one browser of its owner",
  },
  mailed_links_per_person: {
    count: 10,
    window: "hour",
    per: "e-mail address: links mailed to it for browsers that its owner has not signed in with",
    sentence: "Too many links were mailed to this address.",
    signIn: "Links sent to one e-mail address, requested in browsers that its owner has not signed in with",
  },
  account_notices: {
    count: 2,
    window: "hour",
    per: "e-mail address: mails that it has an account already",
    sentence: "The owner of this address was told in this hour.",
    signIn: "Mails to one e-mail address that it has an account already",
  },
  channel_notices: {
    count: 10,
    window: "24 hours",
    per: "account: notices of new webhooks and push configurations",
    sentence: "The owner of this account was told of new webhooks often enough today.",
  },
  share_views: {
    count: 120,
    window: "10 minutes",
    per: "IP address: shared results opened",
    sentence: "Shared results were opened too often from this network in these 10 minutes.",
  },
  address_changes: {
    count: 5,
    window: "hour",
    per: "account: changes of its e-mail address requested",
    sentence: "More than 5 changes of the e-mail address were requested in this hour.",
    signIn: "Changes of one account's e-mail address requested",
  },
  exports: {
    count: 3,
    window: "24 hours",
    per: "account: exports of everything requested",
    sentence: "Three exports were requested in these 24 hours.",
    signIn: "Exports of everything that one account holds",
  },
} as const;

/** Maximum sizes of what callers send and of what they get at once. */
export const SIZES = {
  urlsPerSubmission: 10_000,
  itemsPerRequest: 20_000,
  urlLength: 4_096,
  /** Fewest pages that can be held out, and the percentages of a list that can be. */
  fewestHeld: 20,
  holdoutPercent: { least: 5, most: 50 },
  urlsPerNotification: 1_000,
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
