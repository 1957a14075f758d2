import { expect, test } from "vitest";
import { AGENTS, type Agent } from "../../../../src/domain/projects/access.ts";
import { accessOf, keepsAgentsOut } from "../../../../src/indexing/preflight/access.ts";
import { contentSignal } from "../../../../src/indexing/preflight/content-signal.ts";
import type { PageFacts } from "../../../../src/indexing/preflight/page-facts.ts";
import { robotsRules } from "../../../../src/indexing/preflight/robots-rules.ts";

const page = (noIndexFor: Agent[] = [], isRead = true, signals: string[] = []): PageFacts => ({
  ...{ status: 200, refusal: null, warnings: [], isEligible: null },
  index: { noIndexFor: new Set(noIndexFor), isRead, signals: signals.map(contentSignal) },
});
const UNREAD: PageFacts = { status: 403, refusal: null, warnings: ["http_403"], isEligible: false };
const of = (robots: string, facts: PageFacts | null = page(), isReached = true, path = "/a") =>
  accessOf({ rules: robotsRules(robots), isReached }, path, facts);
const everybody = (word: string) => Object.fromEntries(AGENTS.map((agent) => [agent, word]));

test("a page without rules lets everybody in", () => {
  expect(of("")).toEqual({});
  expect(of("User-agent: GPTBot\nDisallow: /")).toEqual({});
});

test("law: that our own request was refused is never said as theirs; robots.txt still is", () => {
  expect(of("", UNREAD)).toEqual(everybody("unknown"));
  expect(of("User-agent: bingbot\nDisallow: /", UNREAD)).toEqual({ ...everybody("unknown"), bingbot: "robots" });
  expect(of("", null, false)).toEqual(everybody("unknown"));
  expect(of("User-agent: *\nDisallow: /", page(), false)).toEqual(everybody("unknown"));
});

test("robots.txt: a group of its own goes before the group of all, by whole names", () => {
  const rules = "User-agent: *\nDisallow: /\n\nUser-agent: Claude-SearchBot\nUser-agent: googlebot\nAllow: /";
  const rest = { bingbot: "robots", "OAI-SearchBot": "robots", PerplexityBot: "robots" };
  expect(of(rules)).toEqual(rest);
  expect(of("User-agent: Claude\nDisallow: /\nUser-agent: PerplexityBot-User\nDisallow: /")).toEqual({});
  expect(of("User-agent: OAI-SearchBot/1.0\nDisallow: /a")).toEqual({ "OAI-SearchBot": "robots" });
});

test("Applebot goes by the rules for Googlebot where it has none", () => {
  expect(of("User-agent: Googlebot\nDisallow: /")).toEqual({ Googlebot: "robots", Applebot: "robots" });
  expect(of("User-agent: Googlebot\nDisallow: /\nUser-agent: Applebot\nAllow: /")).toEqual({ Googlebot: "robots" });
});

test("noindex counts by its crawler; a page whose rules were not all read lets nobody in for certain", () => {
  expect(of("", page(["bingbot"]))).toEqual({ bingbot: "noindex" });
  expect(of("", page(["Googlebot"], false))).toEqual({ ...everybody("unknown"), Googlebot: "noindex" });
});

test.each([
  ["search=no", ["bingbot", "OAI-SearchBot", "Claude-SearchBot", "PerplexityBot", "Applebot"]],
  ["search=yes, AI-Input = NO, ai-train=no", ["OAI-SearchBot", "Claude-SearchBot", "PerplexityBot"]],
  ["ai-train=no, use=reference", []],
  ["/b search=no", []],
  ["/a search=no", ["bingbot", "OAI-SearchBot", "Claude-SearchBot", "PerplexityBot", "Applebot"]],
  ["nonsense; search", []],
])("Content-Signal: %s", (value, out) => {
  const expected = Object.fromEntries(out.map((agent) => [agent, "content_signal"]));
  expect(of(`User-agent: *\nContent-Signal: ${value}\nAllow: /`)).toEqual(expected);
  if (!value.startsWith("/")) expect(of("", page([], true, [value]))).toEqual(expected);
});

test("of several signals one that refuses is enough", () => {
  const signals = ["search=yes", "search=no"].map((value) => `Content-Signal: ${value}`);
  expect(Object.keys(of(["User-agent: *", ...signals, "Allow: /"].join("\n")))).toHaveLength(AGENTS.length - 1);
});

test("a signal refuses what it says, of its path", () => {
  const read = (value: string) => {
    const { pattern, refused } = contentSignal(value);
    return [pattern, ...refused];
  };
  expect(read(" /blog  search=no, ai-train =no,ai-input=yes")).toEqual(["/blog", "search", "ai-train"]);
  expect(read("search=yes")).toEqual([null]);
});

test("agents are kept out where any but Googlebot is, for certain", () => {
  const out = [{}, { Googlebot: "robots" }, { bingbot: "unknown" }] as const;
  expect(out.map(keepsAgentsOut)).toEqual([false, false, false]);
  expect(keepsAgentsOut({ bingbot: "robots" })).toBe(true);
  expect(keepsAgentsOut({ Googlebot: "unknown", bingbot: "unknown", Applebot: "noindex" })).toBe(true);
});
