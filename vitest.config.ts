import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { databaseTests } from "./test/support/database-tests.ts";

/** Files that take more than half a minute each. Begun last, one of them would keep a single core busy at the end. */
const LONG = [
  "kill",
  "model/mutants",
  "pages",
  "model/payments",
  "scripts/demo-agent",
  "payments/own-key",
  "postgres/chaos",
].map((name) => `/test/${name}.test.ts`);

const ONLY_PG = ["test/postgres/**/*.test.ts", "test/db/postgres/**/*.test.ts"];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => LONG.some((name) => moduleId.endsWith(name));
    const others = await super.sort(files.filter((file) => !isLong(file)));
    return [...files.filter(isLong), ...others];
  }
}

export default defineConfig({
  test: {
    pool: "forks",
    // Files mostly wait for processes and sockets of theirs: one for each core, where the default leaves a core idle.
    maxWorkers: "100%",
    sequence: { sequencer: LongestFirst },
    // No measure of anything: what hangs, hangs for longer; what waits its turn on a busy machine does not.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      { extends: true, test: { name: "sqlite", include: ["test/**/*.test.ts"], exclude: ONLY_PG } },
      // What works on a database, once more; and what PostgreSQL alone has.
      {
        extends: true,
        test: {
          name: "pg",
          include: [...databaseTests(), ...ONLY_PG],
          env: { TEST_DIALECT: "pg" },
          globalSetup: ["test/support/postgres-setup.ts"],
        },
      },
    ],
  },
});
