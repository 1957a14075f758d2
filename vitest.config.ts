import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { testFiles } from "./test/support/checks/test-files.ts";
import { postgresTestsOf, type Tier, testsOf } from "./test/support/checks/tiers.ts";
import { sqliteTests } from "./test/support/database/database-tests.ts";

/**
 * Files that take more than half a minute in one of the runs, the longest first. Begun last, one of them would keep a single core
 * busy at the end.
 */
const LONG = [
  "model/model",
  "src/domain/payments/cards/apply-event",
  "pages",
  "deploy/image",
  "src/platform/urls/list-scanner",
  "src/indexing/engines/live/submitter",
  "model/mutants-of-watches",
  "json-doors",
  "model/payments",
  "src/indexing/watches/year-of-a-site",
  "src/domain/payments/direct/history",
  "postgres/chaos",
  "model/mutants",
  "kills/events",
  "package",
  "src/surfaces/docs/operations/example-calls",
  "src/platform/lists/lists.fuzz",
  "model/deletion",
  "scripts/setup/install",
  "kills/budgets.both",
  "scripts/demo-agent",
].map((name) => `/test/${name}.test.ts`);

const BUNDLES = ["test/support/website/bundle-setup.ts", "test/support/service/bundle-setup.ts"];

/** They put other modules in place of some, for all that is imported after them: each has a process of its own. */
const MOCKING = testFiles().filter((file) => readFileSync(file, "utf8").includes("vi.mock("));

/**
 * A process goes on only with files of the project of its first, so those of a project come one after the other. Files that mock have
 * a process each, and come after the others of their database.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const names = [...new Set(files.map(({ project }) => project.name))].sort();
    const length = ({ moduleId }: TestSpecification) => {
      const at = LONG.findIndex((name) => moduleId.endsWith(name));
      return at < 0 ? LONG.length : at;
    };
    const rank = (file: TestSpecification) => names.indexOf(file.project.name) * (LONG.length + 1) + length(file);
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}

/** Tests of one dialect. Files share processes, and so what they import, which takes a fifth of the time otherwise. */
function project(name: string, include: readonly string[], more: object = {}): TestProjectInlineConfiguration[] {
  const mocking = MOCKING.filter((file) => include.includes(file));
  const others = include.filter((file) => !MOCKING.includes(file));
  return [
    { extends: true, test: { ...more, name, include: others, isolate: false } },
    { extends: true, test: { ...more, name: `${name} mocks`, include: mocking } },
  ];
}

function projectsOf(tier: Tier): TestProjectInlineConfiguration[] {
  const files = testsOf(tier);
  if (tier !== "all" && tier !== "deep") return project(tier, files);
  return [
    ...project("sqlite", sqliteTests(files)),
    ...project("pg", postgresTestsOf(tier), {
      env: { TEST_DIALECT: "pg" },
      setupFiles: "test/support/database/queries/record-calls.ts",
      globalSetup: [
        ...BUNDLES,
        "test/support/database/postgres-setup.ts",
        "test/support/database/queries/queries-setup.ts",
      ],
    }),
  ];
}

export default defineConfig({
  test: {
    pool: "forks",
    globalSetup: BUNDLES,
    // One more than there are cores, since files also wait, for processes, browsers and databases. Each more than that costs a
    // tenth of the CPU of the tests: it imports everything once more, and the processes take each other's caches.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    // No measure of anything: what hangs, hangs for longer; what waits its turn on a busy machine does not.
    testTimeout: process.env.TEST_TIER === "deep" ? 900_000 : 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000, interval: 10 } },
    projects: projectsOf((process.env.TEST_TIER ?? "all") as Tier),
  },
});
