import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { commandIn } from "../../../a2a/agent/grammar.ts";
import { interpret } from "../../../a2a/agent/interpret.ts";
import { filled } from "../../../a2a/card/examples.ts";
import { allSkills, requiredFields } from "../../../a2a/skills.ts";
import { fuzzRuns } from "../../support/checks/fuzz-runs.ts";

const read = (text: string) => {
  const command = commandIn(text, allSkills);
  return command && [command.skill.id, command.input];
};

const A = "https://a.example/";
const B = "http://b.example/x,y?z=1";

test.each([
  ["submit https://a.example/", "submit_urls", { urls: [A] }],
  ["  INDEX   https://a.example/\n", "submit_urls", { urls: [A] }],
  [`submit ${A} ${B}`, "submit_urls", { urls: [A, B] }],
  [`submit ${A},${B}`, "submit_urls", { urls: [A, B] }],
  [`submit ${A}, ${B},`, "submit_urls", { urls: [A, B] }],
  [`submit\n${A}\n${B}`, "submit_urls", { urls: [A, B] }],
  [`submit <${A}>, <${B}>`, "submit_urls", { urls: [A, B] }],
  [`check ${A}`, "check_urls", { urls: [A] }],
  [`submit sitemap ${A}`, "submit_sitemap", { sitemap_url: A }],
  [`Read Sitemap ${A}`, "read_sitemap", { sitemap_url: A }],
  ["status prj_1", "get_project", { project_id: "prj_1" }],
  ["watch PRJ_1", "watch_project", { project_id: "PRJ_1" }],
  ["link prj_1 lnk_1", "get_link", { project_id: "prj_1", link_id: "lnk_1" }],
  ["link prj_1", "get_link", { project_id: "prj_1" }],
  ["balance", "get_account", {}],
  ["submit", "submit_urls", {}],
  ["submit sitemap", "submit_sitemap", {}],
  ["pay basic", "pay_direct", { pack: "basic" }],
  [`notify updated ${A} ${B}`, "notify_urls", { event: "updated", urls: [A, B] }],
  [`notify deleted, <${A}>`, "notify_urls", { event: "deleted", urls: [A] }],
  [`notify ${A}`, "notify_urls", { urls: [A] }],
  ["notify deleted", "notify_urls", { event: "deleted" }],
])("%j is a command", (text, skill, input) => {
  expect(read(text)).toEqual([skill, input]);
});

test.each([
  "",
  " ",
  A,
  `${A} ${B}`,
  `please submit ${A}`,
  `submit ${A} but not today`,
  `submit: ${A}`,
  "submit my pages",
  "submit ftp://a.example/",
  "submit https://",
  `do not submit ${A}`,
  `submit sitemap ${A} ${B}`,
  "cancel prj_1 please",
  "cancel prj_1\ncancel prj_2",
  "balance please",
  "pay basic now",
  `notify updated and ${A}`,
  `notify ${A} updated`,
  "notify updated now",
])("%j is no command", (text) => {
  expect(read(text)).toBeNull();
});

test("law: parsing takes linear time: 4 MB of commas", () => {
  // By the second power of it this would be hours.
  expect(read(`submit ${A}${",".repeat(4_000_000)}x`)).toEqual(["submit_urls", { urls: [expect.any(String)] }]);
  expect(read(`submit x${",".repeat(4_000_000)}x`)).toBeNull();
});

describe("every command", () => {
  const commands = allSkills.flatMap((skill) => skill.commands.map((line) => [skill.id, line, skill] as const));

  test.each(commands)(
    "%s: %s consists of words, then fields of the input; only the last may be a list, and the others are text",
    (_, line, skill) => {
      expect(line).toMatch(/^[a-z]+( [a-z]+)*( \{\w+\})*$/);
      const properties = skill.inputSchema.properties as Record<string, { type?: string }>;
      const names = [...line.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
      for (const name of names) expect(properties).toHaveProperty(name);
      expect(names.slice(0, -1).every((name) => properties[name]!.type === "string")).toBe(true);
    },
  );

  test.each(commands)("law: %s: %s, filled with the example, has all that the call needs", (_, line, skill) => {
    const command = commandIn(filled(line, skill.example), allSkills)!;
    expect(skill.operation.input.safeParse(command.input).error?.issues ?? []).toEqual([]);
    expect(requiredFields(skill).filter((name) => !line.includes(`{${name}}`))).toEqual([]);
  });

  test.each(commands)("%s: %s, filled in, calls only its skill", (id, line, skill) => {
    expect(read(filled(line, skill.example))?.[0]).toBe(id);
    expect(allSkills.flatMap(({ commands }) => commands).filter((one) => one === line)).toHaveLength(1);
  });
});

const SPENDS = new Set(allSkills.filter(({ operation }) => operation.effect !== "read").map(({ id }) => id));
const VERBS = /^\s*(submit|index|check|cancel|buy|pay|add)\b/i;

test("law: a text that does not begin with a verb of the grammar can only read", () => {
  const word = fc.oneof(
    fc.constantFrom(
      "submit",
      "index",
      "check",
      "cancel",
      "pay",
      "buy",
      "basic",
      "prj_1",
      "please",
      "sitemap",
      ",",
      "\n",
    ),
    fc.webUrl(),
    fc.string(),
  );
  const text = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.array(word, { maxLength: 6 }).map((words) => words.join(" ")),
  );
  fc.assert(
    fc.property(text, (one) => {
      const intent = interpret({ messageId: "m", role: "ROLE_USER", parts: [{ text: one }] }, allSkills);
      if (intent.kind !== "call" || !SPENDS.has(intent.skill.id)) return;
      expect(one).toMatch(VERBS);
      const { urls } = intent.input as { urls?: string[] };
      for (const url of urls ?? []) expect(one).toContain(url);
    }),
    { numRuns: fuzzRuns(3_000), seed: 1 },
  );
});

test("law: a text is a command with addresses only if it contains nothing else", () => {
  const noise = fc.constantFrom("please", "not", "tomorrow", "and", "-", "(", "www.a.example");
  fc.assert(
    fc.property(fc.array(fc.webUrl(), { minLength: 1, maxLength: 4 }), noise, fc.nat(4), (urls, word, at) => {
      const words = [...urls];
      words.splice(Math.min(at, urls.length), 0, word);
      expect(read(`submit ${words.join(" ")}`)).toBeNull();
    }),
  );
});
