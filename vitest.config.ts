import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    pool: "forks",
    // Files mostly wait for processes and sockets of theirs: one for each core, where the default leaves a core idle.
    maxWorkers: "100%",
    testTimeout: 20_000,
  },
});
