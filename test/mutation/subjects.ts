/** Files that are changed, and the tests that have to notice: of one process, on SQLite. */
interface Subject {
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
    tests: ["test/src/domain/spending/spend.test.ts"],
  },
  checks: {
    files: ["src/indexing/checker/decide.ts", "src/indexing/checker/schedule.ts"],
    tests: ["test/src/indexing/checker/decide.test.ts", "test/src/indexing/checker/schedule.test.ts"],
  },
};
