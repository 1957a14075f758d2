import { createHash } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { ADVICE } from "../../../../src/contract/shapes/advice.ts";
import { CHECK_DAYS } from "../../../../src/platform/check-days.ts";
import { ERRORS } from "../../../../src/platform/errors/errors.ts";
import { CREDIT_COSTS } from "../../../../src/surfaces/docs/key-figures.ts";
import { indexingSkill } from "../../../../src/surfaces/install/skill.ts";
import { operations } from "../../../../tools/index.ts";
import { message, modern, poster } from "../../../support/mcp/post.ts";
import { testService } from "../../../support/service/service.ts";

const service = await testService({ publishUrl: true });
afterAll(() => service.close());
const post = poster(service.url);
const { text, frontmatter, digest } = indexingSkill();

const sha256 = (bytes: string) => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

test("its head has what the format asks for: a name in small letters, and when it is used", () => {
  expect(frontmatter.name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  expect(frontmatter.description.length).toBeLessThanOrEqual(1024);
  expect(frontmatter.description).toContain("Use it when");
  expect(text).toMatch(/^---\nname: beckon-indexing\n/);
});

test("law: everything in code that it names exists: tools, fields, states, errors", () => {
  const words = [...text.matchAll(/`([a-z]+(?:_[a-z]+)*)`/g)].map(([, word]) => word!);
  const known = new Set([
    ...operations.map(({ name }) => name),
    ...operations.flatMap(({ input }) => Object.keys(input.shape)),
    ...Object.keys(ERRORS),
    ...Object.keys(ADVICE),
    ...ADVICE.who.options,
    ...["waiting", "checking", "indexed", "not_indexed", "failed", "instant", "error_code"],
    ...["code", "message", "docs", "buy_url", "approval_url", "resets_at", "idempotency_key"],
  ]);
  expect(words.filter((word) => !known.has(word))).toEqual([]);
  expect(operations.filter(({ name }) => words.includes(name)).length).toBeGreaterThan(12);
});

test("law: its prices and days are the service's", () => {
  expect(text).toContain(`| ${CREDIT_COSTS.standard} for each URL; ${CREDIT_COSTS.instant} in the mode \`instant\` |`);
  expect(text).toContain(`| 1 for ${CREDIT_COSTS.checked} URLs |`);
  const days = [...text.matchAll(/day (\d+)/g)].map(([, day]) => Number(day));
  expect(new Set(days)).toEqual(new Set([CHECK_DAYS.first, CHECK_DAYS.final]));
});

test("200: the index of skills leads to the file, and has its digest", async () => {
  const index = await (await fetch(`${service.url}/.well-known/agent-skills/index.json`)).json();
  const [{ url, ...entry }, ...more] = (index as { skills: [{ url: string }] }).skills;
  expect(more).toEqual([]);
  expect(entry).toEqual({
    name: "beckon-indexing",
    type: "skill-md",
    description: frontmatter.description,
    digest,
  });
  const response = await fetch(url);
  expect(response.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
  expect(sha256(await response.text())).toBe(digest);
});

test("over MCP it is listed, got and read by the extension for skills, without a credential", async () => {
  const ask = async (method: string, params: object = {}, headers: Record<string, string> = {}) => {
    const sent = modern(message(method, params));
    return (await post(sent.body, { headers: { ...sent.headers, ...headers } })).json;
  };
  const uri = "skill://beckon-indexing/SKILL.md";
  const entry = { uri, frontmatter, resources: [{ uri, digest, size: Buffer.byteLength(text) }] };
  const discovered = await ask("server/discover");
  expect(discovered.result.capabilities.extensions).toMatchObject({ "io.modelcontextprotocol/skills": {} });
  const listed = await ask("skills/list");
  expect(listed.result).toMatchObject({ resultType: "complete", skills: [entry], cacheScope: "public" });
  expect((await ask("skills/get", { uri })).result).toMatchObject({ skill: entry, cacheScope: "public" });
  expect((await ask("skills/get", { uri: "skill://other/SKILL.md" })).error.code).toBe(-32602);
  expect((await ask("skills/list", { cursor: "x" })).error.code).toBe(-32602);
  const read = await ask("resources/read", { uri }, { "Mcp-Name": uri });
  expect(read.result.contents).toEqual([{ uri, mimeType: "text/markdown", text }]);
});
