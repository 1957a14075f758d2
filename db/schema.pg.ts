import { pgKit } from "./dialect.ts";
import { defineSchema } from "./schema.ts";

export const schema = defineSchema(pgKit);
/** Named exports, for drizzle-kit only. */
export const { meta, ticks, accounts, apiKeys, keyUsage, orders, ledger, projects, projectTags, links } = schema;
export const { urlSets, steps, deliveries, observations, bingChecks, pageFacts, idempotency, usage } = schema;
export const { windows, sites, calls, providers, providerDays } = schema;
export const {
  people,
  members,
  invitations,
  sessions,
  mailLinks,
  clients,
  grants,
  codes,
  refreshTokens,
  accessTokens,
} = schema;
export const { registrations, signingKeys, securityEvents } = schema;
export const { cardPayments, cardRefunds, cardDisputes, cardEvents, directPayments } = schema;
export const { passkeys, authenticatorApps, recoveryCodes, passkeyChallenges } = schema;
export const { pendingSignIns, factorRemovals, addressUndos, accountDeletions } = schema;
export const { identities, issuerSignIns } = schema;
export const { exports, exportChunks } = schema;
export const { connections, connectionAttempts } = schema;
export const { tasks, taskMessages, pushConfigs, resourceSubscriptions, endedSessions } = schema;
export const { events, webhooks, eventSubscriptions, webhookDeliveries } = schema;
export const { mailQueue, noticesOff, noticeDigests } = schema;
export const { budgets, approvals } = schema;
export const { shares } = schema;
export const { watches, watchPages, watchRuns, namedPages } = schema;
export const { visits, visitImports, crawlerRanges, experiments } = schema;
export const { coverageChanges, coveragePages, coverageHosts, coverageDays } = schema;
