import { describe, expect, test } from "vitest";
import { interpret } from "../../../a2a/agent/interpret.ts";
import { allSkills } from "../../../a2a/skills.ts";
import type { Json, Part } from "../../../a2a/wire.ts";

function read(parts: readonly Part[], metadata?: Json) {
  const intent = interpret({ messageId: "m", role: "ROLE_USER", parts, ...(metadata && { metadata }) }, allSkills);
  if (intent.kind === "call") return [intent.skill.id, intent.input];
  return intent.kind === "input" ? ["input", intent.input] : intent.kind;
}

const call = { skill: "get_project", input: { project_id: "prj_1" } };

describe("is a call", () => {
  test.each<[string, Part[], Json | undefined]>([
    ["a data part", [{ data: call }], undefined],
    ["a data part beside words about it", [{ text: "Here you are:" }, { data: call }], undefined],
    ["a data part beside a command", [{ text: "cancel prj_2" }, { data: call }], undefined],
    ["JSON in a fence of Markdown", [{ text: `\n\`\`\`json\n${JSON.stringify(call)}\n\`\`\`\n` }], undefined],
    ["a text that is JSON", [{ text: ` ${JSON.stringify(call)}\n` }], undefined],
    ["a skill in the metadata, its input as data", [{ data: call.input }], { skill: "get_project" }],
    ["a skill in the metadata, its input as JSON", [{ text: JSON.stringify(call.input) }], { skillId: "get_project" }],
    ["both, saying the same", [{ data: call }], { skill: "get_project" }],
    ["nulls where no skill is named", [{ data: call }], { skill: null, skillId: null }],
    ["a skill of null beside one in the metadata", [{ data: call.input }], { skill: null, skillId: "get_project" }],
    ["a command", [{ text: "status prj_1" }], undefined],
  ])("%s", (_, parts, metadata) => {
    expect(read(parts, metadata)).toEqual(["get_project", { project_id: "prj_1" }]);
  });

  test("a skill without input", () => {
    expect(read([{ data: { skill: "get_account" } }])).toEqual(["get_account", {}]);
    expect(read([{ data: { skill: "get_account", input: null } }])).toEqual(["get_account", {}]);
    expect(read([{ text: "" }], { skill: "get_account" })).toEqual(["get_account", {}]);
  });
});

test("data without a skill is input for the open task", () => {
  expect(read([{ data: { pack: "pro" } }])).toEqual(["input", { pack: "pro" }]);
  expect(read([{ text: '{"pack":"pro"}' }])).toEqual(["input", { pack: "pro" }]);
});

test("only the single word help asks for help", () => {
  expect(read([{ text: " HELP\n" }])).toBe("help");
  expect(read([{ text: "help me submit https://a.example/" }])).toBe("unclear");
});

test.each<[string, Part[], Json | undefined]>([
  ["words", [{ text: "Index my site, please." }], undefined],
  ["an address", [{ text: "https://a.example/" }], undefined],
  ["a skill that there is none of", [{ data: { skill: "format_disk", input: {} } }], undefined],
  ["a name that every object has", [{ data: { skill: "toString", input: {} } }], undefined],
  ["a skill that is a number", [{ data: { skill: 1 } }], undefined],
  ["JSON that is broken", [{ text: '{"skill":"get_account"' }], undefined],
  ["a skill in the metadata, and a command", [{ text: "balance" }], { skill: "get_project" }],
])("unclear: %s", (_, parts, metadata) => {
  expect(read(parts, metadata)).toBe("unclear");
});

test.each<[string, Part[], Json | undefined]>([
  ["two data parts", [{ data: call }, { data: call }], undefined],
  ["a file", [{ data: call }, { raw: "AAAA" }], undefined],
  ["an address of a file", [{ url: "https://a.example/urls.txt" }], undefined],
  ["an input that is a list", [{ data: { skill: "get_project", input: [] } }], undefined],
  ["data that is a list", [{ data: [call] }], undefined],
  ["data that is null", [{ data: null }], undefined],
  ["two skills", [{ data: call }], { skill: "cancel_links" }],
])("refused: %s", (_, parts, metadata) => {
  expect(read(parts, metadata)).toBe("refused");
});
