import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    pool: "forks",
    // Files mostly wait for processes and sockets of theirs: one for each core, where the default leaves a core idle.
    maxWorkers: "100%",
    // No measure of anything: what hangs, hangs for longer; what waits its turn on a busy machine does not.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
