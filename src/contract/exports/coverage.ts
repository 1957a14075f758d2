import type { Schema } from "../../../db/schema.ts";
import type { SECTIONS } from "./sections.ts";

/** Where a table is in an export, or why it is left out. */
type Coverage = { readonly section: keyof typeof SECTIONS } | { readonly leftOut: string };

const SECRETS = "it holds secrets, or hashes of secrets";
const NOT_OF_ACCOUNTS = "its rows belong to no account";
const MONEY = "it is what payment services told of the orders, whose outcome is among the orders";
const WORK = "it is how links are worked on; what came of it is among the links";

/** Every table of the schema; one that is missing here does not compile. */
export const COVERAGE: Readonly<Record<keyof Schema, Coverage>> = {
  accounts: { section: "account" },
  noticesOff: { section: "account" },
  apiKeys: { section: "api_keys" },
  keyUsage: { section: "api_key_usage" },
  usage: { section: "usage" },
  ledger: { section: "ledger" },
  orders: { section: "orders" },
  projects: { section: "projects" },
  links: { section: "links" },
  deliveries: { section: "links" },
  observations: { section: "links" },
  bingChecks: { section: "links" },
  pageFacts: { section: "links" },
  sites: { section: "sites" },
  visits: { section: "visits" },
  coverageDays: { section: "coverage" },
  grants: { section: "connections" },
  sessions: { section: "sessions" },
  passkeys: { section: "passkeys" },
  authenticatorApps: { section: "authenticator_apps" },
  recoveryCodes: { section: "recovery_codes" },
  factorRemovals: { section: "factor_removals" },
  addressUndos: { section: "address_changes" },
  accountDeletions: { section: "deletions" },
  securityEvents: { section: "security_log" },
  tasks: { section: "agent_tasks" },
  events: { section: "events" },
  webhooks: { section: "webhooks" },
  pushConfigs: { section: "push_configurations" },
  watches: { section: "watches" },
  watchRuns: { section: "watch_runs" },
  budgets: { section: "budgets" },
  approvals: { section: "approvals" },

  codes: { leftOut: SECRETS },
  accessTokens: { leftOut: SECRETS },
  refreshTokens: { leftOut: SECRETS },
  mailLinks: { leftOut: SECRETS },
  pendingSignIns: { leftOut: SECRETS },
  passkeyChallenges: { leftOut: SECRETS },
  signingKeys: { leftOut: SECRETS },
  mailQueue: { leftOut: "it holds mail that waits to be sent to the owner, with the secrets in it" },
  noticeDigests: { leftOut: "it is about which mail is due; what it tells is among the events" },
  cardPayments: { leftOut: MONEY },
  cardRefunds: { leftOut: MONEY },
  cardDisputes: { leftOut: MONEY },
  cardEvents: { leftOut: MONEY },
  directPayments: { leftOut: MONEY },
  steps: { leftOut: WORK },
  calls: { leftOut: WORK },
  urlSets: { leftOut: "it finds URLs that were submitted before; they are among the links" },
  watchPages: { leftOut: "it holds hashes of the pages that sitemaps list" },
  webhookDeliveries: { leftOut: "it is how events are told; what was told is among the events" },
  resourceSubscriptions: { leftOut: "it is which changes connected clients are told of" },
  endedSessions: { leftOut: "it is which ids of sessions clients must not use again" },
  idempotency: { leftOut: "it repeats answers of the last 24 hours, whose content is among the projects and orders" },
  taskMessages: { leftOut: "it recognises messages that come twice; they are among the tasks" },
  registrations: {
    leftOut: "it is for agents that nobody has connected yet; those that are connected are among the connections",
  },
  windows: { leftOut: "it counts for limits, and is forgotten when their time is over" },
  exports: { leftOut: "it is about exports" },
  exportChunks: { leftOut: "it holds the files of exports" },
  coverageHosts: { leftOut: "it holds the last day of the coverage once more" },
  coveragePages: {
    leftOut: "it holds hashes of URLs, and what was last found of them; the checks are among the links",
  },
  coverageChanges: { leftOut: WORK },
  visitImports: { leftOut: "it recognises access logs that come twice; what they told is among the visits" },
  crawlerRanges: { leftOut: NOT_OF_ACCOUNTS },
  clients: { leftOut: NOT_OF_ACCOUNTS },
  meta: { leftOut: NOT_OF_ACCOUNTS },
  ticks: { leftOut: NOT_OF_ACCOUNTS },
  providers: { leftOut: NOT_OF_ACCOUNTS },
  providerDays: { leftOut: NOT_OF_ACCOUNTS },
};
