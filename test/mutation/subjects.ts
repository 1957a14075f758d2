/** Files that are changed, and the tests that have to notice: of one process, on SQLite. */
export interface Subject {
  readonly files: readonly string[];
  readonly tests: readonly string[];
}

/** Where money, access and truth are decided. */
export const SUBJECTS: Readonly<Record<string, Subject>> = {
  ledger: {
    files: ["src/domain/ledger/ledger.ts", "src/domain/ledger/costs.ts"],
    tests: ["test/src/domain/ledger/ledger.test.ts", "test/src/domain/ledger/costs.test.ts"],
  },
  spending: {
    files: [
      "src/domain/spending/budgets.ts",
      "src/domain/spending/calendar.ts",
      "src/domain/spending/spend.ts",
      "src/domain/spending/limits.ts",
    ],
    tests: [
      "test/src/domain/spending/spend.test.ts",
      "test/src/domain/spending/calendar.test.ts",
      "test/src/domain/spending/limits.test.ts",
    ],
  },
  approvals: {
    files: ["src/domain/spending/approvals.ts"],
    tests: ["test/src/domain/spending/approvals.test.ts", "test/src/domain/spending/spend.test.ts"],
  },
  credentials: {
    files: [
      "src/domain/credentials/identify.ts",
      "src/domain/credentials/resources.ts",
      "src/domain/credentials/may-act.ts",
      "src/domain/credentials/access.ts",
    ],
    tests: [
      "test/src/domain/credentials/identify.test.ts",
      "test/src/domain/credentials/resources.test.ts",
      "test/src/domain/credentials/may-act.test.ts",
      "test/src/domain/credentials/access.test.ts",
    ],
  },
  "watched sitemaps": {
    files: [
      "src/domain/watches/difference.ts",
      "src/domain/watches/sense.ts",
      "src/domain/watches/schedule.ts",
      "src/domain/watches/decide.ts",
      "src/domain/watches/budget.ts",
    ],
    tests: [
      "test/src/domain/watches/decide.test.ts",
      "test/src/domain/watches/budget.test.ts",
      "test/src/domain/watches/difference.test.ts",
      "test/src/domain/watches/sense.test.ts",
      "test/src/domain/watches/schedule.test.ts",
    ],
  },
  "normal form of URLs": {
    files: ["src/platform/urls/urls.ts", "src/platform/urls/same-page.ts", "src/platform/urls/a-labels.ts"],
    tests: [
      "test/src/platform/urls/urls.test.ts",
      "test/src/platform/urls/same-page.test.ts",
      "test/src/platform/urls/a-labels.test.ts",
    ],
  },
  "robots.txt and rules for robots": {
    files: [
      "src/indexing/preflight/robots-rules.ts",
      "src/indexing/preflight/rule-date.ts",
      "src/indexing/preflight/directives.ts",
      "src/indexing/preflight/headers.ts",
      "src/indexing/preflight/access.ts",
      "src/indexing/preflight/content-signal.ts",
    ],
    tests: [
      "test/src/indexing/preflight/robots-rules.test.ts",
      "test/src/indexing/preflight/access.test.ts",
      "test/src/indexing/preflight/rule-date.test.ts",
      "test/src/indexing/preflight/directives.test.ts",
      "test/src/indexing/preflight/headers.test.ts",
    ],
  },
  "checks of pages": {
    files: ["src/indexing/preflight/page-check.ts"],
    tests: [
      "test/src/indexing/preflight/page-check-verdicts.test.ts",
      "test/src/indexing/preflight/page-check-hosts.test.ts",
    ],
  },
  "what a page says of itself": {
    files: ["src/indexing/preflight/html.ts", "src/indexing/preflight/refresh.ts"],
    tests: ["test/src/indexing/preflight/html.test.ts", "test/src/indexing/preflight/refresh.test.ts"],
  },
  "fetched robots.txt": {
    files: ["src/indexing/preflight/robots.ts"],
    tests: ["test/src/indexing/preflight/robots.test.ts"],
  },
  limits: {
    files: [
      "src/domain/limits/window.ts",
      "src/domain/limits/day.ts",
      "src/domain/limits/minute.ts",
      "src/domain/limits/shared-counters.ts",
      "src/domain/limits/address-key.ts",
    ],
    tests: [
      "test/src/domain/limits/window.test.ts",
      "test/src/domain/limits/shared-counters.test.ts",
      "test/src/domain/limits/address-key.test.ts",
      "test/src/domain/limits/limits.test.ts",
      "test/src/domain/limits/shared.test.ts",
    ],
  },
  apps: {
    files: ["src/domain/oauth/refresh.ts", "src/domain/oauth/grants.ts", "src/domain/oauth/successors.ts"],
    tests: [
      "test/src/domain/oauth/refresh.test.ts",
      "test/src/domain/oauth/refresh-overlap.both.test.ts",
      "test/src/domain/oauth/grants.test.ts",
    ],
  },
  orders: {
    files: ["src/domain/payments/orders/orders.ts", "src/domain/payments/orders/settle.ts"],
    tests: ["test/src/domain/payments/orders/orders.test.ts", "test/src/domain/payments/orders/settle.test.ts"],
  },
  "events of cards": {
    files: [
      "src/domain/payments/cards/mismatch.ts",
      "src/domain/payments/cards/apply-event.ts",
      "src/domain/payments/cards/card-payment.ts",
    ],
    tests: [
      "test/src/domain/payments/cards/mismatch.test.ts",
      "test/src/domain/payments/cards/card-payment.test.ts",
      "test/src/surfaces/payment-events/arrivals.test.ts",
      "test/src/surfaces/payment-events/hostile.test.ts",
      "test/src/domain/payments/cards/apply-event.test.ts",
    ],
  },
  "events of Stripe": {
    files: ["src/domain/payments/cards/stripe/event.ts"],
    tests: ["test/src/domain/payments/cards/stripe/event.test.ts"],
  },
  "settlement of direct payments": {
    files: [
      "src/domain/payments/direct/settlement/checkpoint.ts",
      "src/domain/payments/direct/settlement/claim.ts",
      "src/domain/payments/direct/settlement/verify.ts",
      "src/domain/payments/direct/settlement/submit.ts",
      "src/domain/payments/direct/settlement/check-chain.ts",
      "src/domain/payments/direct/settlement/settle.ts",
      "src/domain/payments/direct/settlement/finality.ts",
      "src/domain/payments/direct/settlement/poll-chain.ts",
      "src/domain/payments/direct/settlement/credit.ts",
      "src/domain/payments/direct/journal/lease.ts",
    ],
    tests: [
      "test/src/domain/payments/direct/journal/lease.test.ts",
      "test/src/domain/payments/direct/settlement/checkpoint.test.ts",
      "test/src/domain/payments/direct/settlement/claim.test.ts",
      "test/src/domain/payments/direct/settlement/verify.test.ts",
      "test/src/domain/payments/direct/settlement/submit.test.ts",
      "test/src/domain/payments/direct/settlement/check-chain.test.ts",
      "test/src/domain/payments/direct/settlement/settle.test.ts",
      "test/src/domain/payments/direct/settlement/finality.test.ts",
      "test/src/domain/payments/direct/settlement/credit.test.ts",
      "test/src/domain/payments/direct/settlement/reconcile.test.ts",
    ],
  },
  "idempotency keys": {
    files: ["src/domain/calls/idempotency-keys.ts"],
    tests: ["test/src/domain/calls/idempotency-keys.test.ts"],
  },
  projects: {
    files: ["src/domain/projects/settle.ts", "src/domain/projects/access.ts"],
    tests: ["test/src/domain/projects/settle.test.ts", "test/src/domain/projects/access.test.ts"],
  },
  checks: {
    files: ["src/indexing/checker/decide.ts", "src/indexing/checker/schedule.ts"],
    tests: ["test/src/indexing/checker/decide.test.ts", "test/src/indexing/checker/schedule.test.ts"],
  },
};
