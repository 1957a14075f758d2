import { expect, test } from "vitest";
import { allSkills, requiredFields, skillsOf } from "../../a2a/skills.ts";
import { isOn } from "../../src/contract/operation.ts";
import { readConfig } from "../../src/platform/config/config.ts";
import { operations } from "../../tools/index.ts";
import { DIRECT } from "../support/payments/fake-direct-payments.ts";

const ids = (direct?: typeof DIRECT) =>
  skillsOf({ ...readConfig({}), ...(direct ? { direct } : {}) }).map(({ id }) => id);

test("every operation that is offered over A2A is a skill, and watch_project is one more", () => {
  const offered = operations.filter((operation) => isOn(operation, "a2a"));
  const names = offered.map(({ name }) => name).filter((name) => name !== "get_direct_price");
  expect(ids(DIRECT)).toEqual([...names, "watch_project"]);
  expect(ids()).toEqual([...names.filter((name) => name !== "pay_direct"), "watch_project"]);
});

test.each(allSkills.map((skill) => [skill.id, skill] as const))(
  "%s: its required fields are those that an empty input misses",
  (_, skill) => {
    const parsed = skill.operation.input.safeParse({});
    const missed = parsed.success ? [] : parsed.error.issues.map(({ path }: { path: unknown[] }) => path[0]);
    expect(requiredFields(skill)).toEqual(missed);
  },
);

test.each(allSkills.map((skill) => [skill.id, skill] as const))("%s: its example is a valid input", (_, skill) => {
  expect(skill.operation.input.safeParse(skill.example).success).toBe(true);
  expect(skill.description.length).toBeLessThan(1024);
});

test("idempotency_key is a field of the skills that are idempotent by it", () => {
  const keyed = allSkills.filter(({ inputSchema }) => "idempotency_key" in (inputSchema.properties as object));
  expect(keyed.map(({ id }) => id)).toEqual([
    "submit_urls",
    "check_urls",
    "submit_sitemap",
    "resubmit",
    "buy_credits",
    "run_watch",
  ]);
});
