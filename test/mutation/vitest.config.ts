import { defineConfig } from "vitest/config";
import { keptWorker } from "./kept-worker.ts";

/** Runs the tests of one subject for each mutant. They need no page and no process, so nothing is built before. */
export default defineConfig({
  plugins: [keptWorker()],
  test: {
    include: process.env.MUTATION_TESTS?.split(",") ?? [],
    isolate: false,
    setupFiles: [`${import.meta.dirname}/no-shrinking.ts`],
    testTimeout: 10_000,
    hookTimeout: 10_000,
  },
});
