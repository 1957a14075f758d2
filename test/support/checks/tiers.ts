import { existsSync } from "node:fs";
import { join } from "node:path";
import { postgresTests } from "../database/database-tests.ts";
import { importsLeadTo, ROOT, testFiles } from "./test-files.ts";

/** Test files and folders, by the reason why they are there. */
type Reasons = Readonly<Record<string, readonly string[]>>;

/**
 * What only the deep run has: what explores, or takes minutes. What is generated, and some large tables, are short in `npm test` and
 * long in the deep run (fuzz-runs.ts).
 */
export const DEEP: Reasons = {
  "They plant faults into the sources, to see whether the models find them.": [
    "model/mutants.test.ts",
    "model/mutants-of-watches.test.ts",
  ],
  "Three nodes, their connections and the server's power fail by turns; `test/kills` and `test/postgres` try each failure alone.":
    ["postgres/chaos.test.ts"],
  "They start clients and generators of others; `test/differential`, `test/rest` and `test/src/surfaces/mcp` hold what these rely on.":
    ["clients/"],
  "It opens every page once more, with the worst names and URLs.": ["bad-data.test.ts"],
  "It plays a demo of half a minute, from the registration of an agent to its refund; `test/payments` and `test/src/surfaces/oauth` hold each step.":
    ["scripts/demo-agent.test.ts"],
  "They run benches as small as they can be, so that these go on measuring; a bench holds no law.": [
    "bench/small-runs.test.ts",
  ],
  "It makes a Debian and the image of the service; `test/package.test.ts` installs and starts the package that is in the image.":
    ["deploy/image.test.ts"],
};

/** What runs on SQLite in `npm test`, and on PostgreSQL in the deep run alone. */
export const DEEP_ON_POSTGRES: Reasons = {
  "They are histories. `npm test` runs each of their statements on PostgreSQL in other tests, and fails if it does not.":
    [
      "coverage.both.test.ts",
      "holdout.both.test.ts",
      "kills/",
      "model/deletion.test.ts",
      "model/model.test.ts",
      "model/payments.test.ts",
      "results.both.test.ts",
      "resubmit.both.test.ts",
      "src/indexing/preflight/trial.both.test.ts",
      "src/surfaces/website/projects/new-project/new-project.both.test.ts",
      "src/surfaces/website/projects/tag-filter.both.test.ts",

      "src/surfaces/website/sites/watches/watches.both.test.ts",
    ],
  "They are flows of a whole service, of sign-in, or of the checker and the watcher. Other tests run each of their statements on PostgreSQL.":
    [
      "a2a/agent/approval.both.test.ts",
      "a2a/agent/push.both.test.ts",
      "activity.both.test.ts",
      "connections.both.test.ts",
      "disabled-account.both.test.ts",
      "ends-of-access.both.test.ts",
      "labels.both.test.ts",
      "lists.both.test.ts",
      "live.both.test.ts",
      "next-call.both.test.ts",
      "publish-hooks.both.test.ts",
      "read-statements.both.test.ts",
      "roles-in-mid-call.both.test.ts",
      "search.both.test.ts",
      "shares.both.test.ts",
      "skip-indexed.both.test.ts",
      "src/domain/audit/watches.test.ts",
      "src/domain/payments/cards/overdue.test.ts",
      "src/domain/subscriptions/queue.test.ts",
      "src/domain/users/change-address.test.ts",
      "src/domain/users/passwords.test.ts",
      "src/domain/users/reset.test.ts",
      "src/domain/users/sign-in.test.ts",
      "src/domain/users/sign-up.test.ts",
      "src/indexing/checker/checker.test.ts",
      "src/indexing/checker/faults.test.ts",
      "src/indexing/checker/preflight.test.ts",
      "src/indexing/checker/prepare.test.ts",
      "src/indexing/engines/sandbox/replay.test.ts",
      "src/indexing/watches/readings.test.ts",
      "src/indexing/watches/run-watch.test.ts",
      "src/process/doctor/",
      "src/surfaces/mcp/events/poll.both.test.ts",
      "src/surfaces/mcp/events/subscribe.both.test.ts",
      "src/surfaces/mcp/subscriptions.both.test.ts",
      "src/surfaces/oauth/revoke.both.test.ts",
      "src/surfaces/website/account/people.both.test.ts",
      "src/surfaces/website/agents/approvals.both.test.ts",
      "src/surfaces/website/overview/inbox.both.test.ts",
      "src/surfaces/website/projects/new-project/hold-out.both.test.ts",
      "src/surfaces/website/projects/people-in-lists.both.test.ts",
      "src/surfaces/website/projects/projects.both.test.ts",
      "src/surfaces/website/projects/resubmit.both.test.ts",
      "src/surfaces/website/sites/sites.both.test.ts",
      "src/surfaces/website/spending/spender-filter.both.test.ts",
      "visits.both.test.ts",
    ],
};

/** What the quick tier leaves out besides. */
const SLOW: Reasons = {
  "they need programs that only the full run installs": ["deploy/", "postgres/", "db/postgres/", "scripts/"],
  "they run thousands of random histories or read thousands of random documents": [
    "model/",
    "a2a/bindings/fuzz.test.ts",
    "src/indexing/sitemap/fuzz.test.ts",
    "src/indexing/sitemap/hostile.test.ts",
    "src/platform/lists/lists.fuzz.test.ts",
    "src/platform/urls/urls.fuzz.test.ts",
  ],
  "they compare our code with an SDK on many inputs": ["differential/"],
  "they start a whole service in every test and wait until it has stopped": [
    "src/process/bulk/",
    "src/process/service.test.ts",
    "src/process/tracing/otlp.test.ts",
  ],
  "they repeat over every surface, with large inputs, what the tests of each part show": [
    "live.both.test.ts",
    "sitemaps.test.ts",
  ],
  "they compile Solidity": ["contracts/"],
};

/** Says how to start `beckon`, which an SDK does in some tests. */
const COMMAND = "test/support/service/beckon-command.ts";
const FUZZ_RUNS = "test/support/checks/fuzz-runs.ts";

export type Tier = "all" | "deep" | "quick" | "quick22";

/** The tests of each tier. */
const TIERS: Readonly<Record<Tier, () => string[]>> = {
  all: () => testFiles().filter((file) => !isIn(DEEP, file)),
  deep() {
    const isLonger = importsLeadTo((file) => file === FUZZ_RUNS);
    return testFiles().filter((file) => isIn(DEEP, file) || isLonger(file));
  },
  /** Those that start no other program: a browser, a chain, a proxy, PostgreSQL or Beckon itself. */
  quick() {
    const startsPrograms = importsLeadTo(
      (file, text) => file === COMMAND || /from "(node:child_process|playwright-core)"/.test(text),
    );
    return TIERS.all().filter((file) => !startsPrograms(file) && !isIn(SLOW, file));
  },
  /** On Node.js 22, in the deep run. */
  quick22: () => TIERS.quick(),
};

export function testsOf(tier: Tier): string[] {
  return TIERS[tier]();
}

/** The tests of a tier that run on PostgreSQL. */
export function postgresTestsOf(tier: Tier): string[] {
  if (tier !== "deep") return postgresTests(testsOf(tier)).filter((file) => !isIn(DEEP_ON_POSTGRES, file));
  const deep = new Set(testsOf("deep"));
  return postgresTests(testFiles().filter((file) => deep.has(file) || isIn(DEEP_ON_POSTGRES, file)));
}

function isIn(reasons: Reasons, file: string): boolean {
  return namesOf(reasons).some((name) => file.startsWith(`test/${name}`));
}

function namesOf(reasons: Reasons): string[] {
  return Object.values(reasons).flat();
}

const missing = [DEEP, DEEP_ON_POSTGRES, SLOW].flatMap(namesOf).filter((name) => !existsSync(join(ROOT, "test", name)));
if (missing.length > 0) throw new Error(`tiers.ts names files that do not exist: ${missing.join(", ")}`);
