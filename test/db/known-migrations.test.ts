import { expect, test } from "vitest";
import { knownMigrations, schemaAge } from "../../db/known-migrations.ts";

test.each(["pg", "sqlite"] as const)("%s: the state of a schema follows from its migrations alone", (dialect) => {
  const known = knownMigrations(dialect).map(({ hash }) => hash);
  expect(known.length).toBeGreaterThan(5);
  const said = (...applied: string[]) => schemaAge(dialect, applied);
  expect(said(...known)).toBe("newest");
  expect(said(...known.toReversed())).toBe("newest");
  expect(said(...known.slice(0, -1))).toBe("older");
  expect(said(known[0]!)).toBe("older");
  expect(said(...known, "f00d")).toBe("newer");
  // Whatever else it lacks: this program cannot bring it anywhere.
  expect(said(known[0]!, "f00d")).toBe("newer");
  expect(said()).toBe("foreign");
  expect(said("f00d", ...known.slice(1))).toBe("foreign");
});
