import { expect, test } from "vitest";
import { knownMigrations, schemaState } from "../../db/known-migrations.ts";
import { version } from "../../src/platform/version.ts";
import { withNextMigration } from "../support/database/next-migration.ts";

withNextMigration();

test.each(["pg", "sqlite"] as const)("%s: the state of a schema follows from its migrations alone", (dialect) => {
  const known = knownMigrations(dialect).map(({ hash }) => hash);
  expect(known.length).toBeGreaterThan(1);
  const stateOf = (...applied: string[]) =>
    schemaState(
      dialect,
      applied.map((hash) => ({ hash, version })),
    ).age;
  expect(stateOf(...known)).toBe("newest");
  expect(stateOf(...known.toReversed())).toBe("newest");
  expect(stateOf(...known.slice(0, -1))).toBe("older");
  expect(stateOf(known[0]!)).toBe("older");
  expect(stateOf(...known, "f00d")).toBe("newer");
  // Whatever else it lacks: this program cannot bring it anywhere.
  expect(stateOf(known[0]!, "f00d")).toBe("newer");
  // Without the first one, with which every released version begins.
  expect(stateOf()).toBe("foreign");
  expect(stateOf("f00d")).toBe("foreign");
  expect(stateOf("f00d", known[1]!)).toBe("unreleased");
  expect(stateOf("a".repeat(64))).toBe("unreleased");
});
