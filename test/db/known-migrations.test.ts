import { expect, test } from "vitest";
import { knownMigrations, schemaAge } from "../../db/known-migrations.ts";

test.each(["pg", "sqlite"] as const)("%s: the state of a schema follows from its migrations alone", (dialect) => {
  const known = knownMigrations(dialect).map(({ hash }) => hash);
  expect(known.length).toBeGreaterThan(5);
  const stateOf = (...applied: string[]) => schemaAge(dialect, applied);
  expect(stateOf(...known)).toBe("newest");
  expect(stateOf(...known.toReversed())).toBe("newest");
  expect(stateOf(...known.slice(0, -1))).toBe("older");
  expect(stateOf(known[0]!)).toBe("older");
  expect(stateOf(...known, "f00d")).toBe("newer");
  // Whatever else it lacks: this program cannot bring it anywhere.
  expect(stateOf(known[0]!, "f00d")).toBe("newer");
  expect(stateOf()).toBe("foreign");
  expect(stateOf("f00d", ...known.slice(1))).toBe("foreign");
});
