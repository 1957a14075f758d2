import { expect, test } from "vitest";
import { readConfig, SETTINGS } from "../../../../src/platform/config/config.ts";
import { REMOVED_SETTINGS } from "../../../../src/platform/config/removed-settings.ts";

const REMOVED = Object.entries(REMOVED_SETTINGS);

test.each(REMOVED)("%s is refused, with what to do in its place and without its value", (name, advice) => {
  const env = { [name]: "s3cret" };
  expect(() => readConfig(env)).toThrow(`${name}: ${advice}`);
  expect(() => readConfig(env)).not.toThrow("s3cret");
  expect(() => readConfig({ [name]: " " })).not.toThrow();
});

test("each advice names only settings that exist", () => {
  for (const [name, advice] of REMOVED) {
    expect(Object.keys(SETTINGS)).not.toContain(name);
    for (const [other] of advice.matchAll(/[A-Z0-9]+(?:_[A-Z0-9]+)+/g)) expect(Object.keys(SETTINGS)).toContain(other);
  }
});

test("all removed settings that are still set are named at once, with whatever else is wrong", () => {
  const env = { X402_FACILITATOR_KEY: `0x${"1".repeat(64)}`, X402_MAX_GAS_GWEI: "10", PORT: "many" };
  expect(() => readConfig(env)).toThrow(/X402_FACILITATOR_KEY: .*\n.*X402_MAX_GAS_GWEI: .*\n.*PORT: /);
});
