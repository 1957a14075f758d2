import { readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { expect, test } from "vitest";
import { adviceFor, adviceForLink } from "../../../../src/domain/projects/advice.ts";
import { CLAIMS } from "../../../../src/domain/projects/claims.ts";
import type { LinkFact } from "../../../../src/domain/projects/facts.ts";
import { LINK_ERRORS, NOT_INDEXED_REASONS } from "../../../../src/domain/projects/reasons.ts";
import { DAY } from "../../../../src/platform/clock.ts";

const REASONS = [...Object.keys(NOT_INDEXED_REASONS), ...Object.keys(LINK_ERRORS)];
const SAID: ReadonlySet<string> = new Set(Object.values(CLAIMS).map(({ says }) => says));
const NOW = Date.UTC(2026, 0, 20);

/** A sentence that says what Google does, of whatever page. */
const GENERAL =
  /\b(?:Google|Googlebot)\s+(?:(?:also|never|only|then|always|usually|typically|generally|itself)\s+)*(?:(?:does not|cannot|can)\s+(?:read|take|ignore|follow|crawl|drop|fetch|need|count|treat|accept|respect|index|find|prefer|rank|see|want|visit|hide|allow|forbid|show|guarantee|leave|use|keep|know)|(?:reads|takes|ignores|follows|crawls|drops|dropped|fetches|needs|counts|treats|accepts|respects|indexes|finds|prefers|ranks|sees|wants|recrawls|visits|hides|allows|forbids|shows|guarantees|leaves|uses|keeps|knows|can be asked))\b/;

/** Where the product speaks: pages, mail, tools, documents and the skill. */
const SPOKEN = [
  "src/surfaces/**/*.{md,ts,tsx}",
  "src/domain/{mail,notices,ledger,payments}/**/*.{ts,tsx}",
  "src/platform/errors/*.ts",
  "tools/*.ts",
  "a2a/card/*.ts",
  "packages/client/src/*.ts",
  "packages/client/README.md",
  "skills/**/*.md",
  "README.md",
];

function sentencesIn(text: string): string[] {
  return text.split(/(?<=[.!?:]\**)\s+|\n\s*\n|\||["`<>]/).map((sentence) => sentence.replace(/\s+/g, " ").trim());
}

function unfounded(text: string): string[] {
  return sentencesIn(text).filter((sentence) => GENERAL.test(sentence) && !SAID.has(sentence.replace(/^- /, "")));
}

/** What readers of the product see of a file: not its comments. */
function spokenIn(path: string): string {
  const text = readFileSync(path, "utf8");
  return path.endsWith(".md") ? text : text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
}

test("law: every sentence about how Google works is a row of the table, with its source and date", async () => {
  const planted = "Googlebot never reads pages on Sundays.";
  for (const text of [`Nice. ${planted}`, `<p>${planted}</p>`, `say("${planted}")`])
    expect(unfounded(text)).toEqual([planted]);
  expect(unfounded("Google does not rank pages by their length.")).toHaveLength(1);
  const advice = REASONS.flatMap((reason) => {
    const { cause, nextStep } = adviceFor(reason);
    return [cause, nextStep];
  });
  expect(unfounded(advice.join("\n\n"))).toEqual([]);
  const found: string[] = [];
  for (const pattern of SPOKEN)
    for await (const path of glob(pattern)) found.push(...unfounded(spokenIn(path)).map((said) => `${path}: ${said}`));
  expect(found).toEqual([]);
});

test.each(Object.entries(CLAIMS))(
  "the row %s is one sentence with an address and a day",
  (_, { says, source, date }) => {
    expect(sentencesIn(says)).toEqual([says]);
    expect(URL.canParse(source)).toBe(true);
    expect(date).toMatch(/^20\d\d-\d\d-\d\d$/);
  },
);

test.each(REASONS)("%s has a meaning, a cause, one thing to do, who can, and a document", (reason) => {
  const { meaning, cause, nextStep, docs } = adviceFor(reason);
  for (const text of [meaning, cause, nextStep]) expect(text).toMatch(/^[A-Z].*\.$/s);
  expect(sentencesIn(nextStep)).toHaveLength(reason === "cancelled" || reason === "already_indexed" ? 2 : 1);
  expect(docs).toMatch(/^(?:https:\/\/|\/docs\/)/);
});

test("law: buckets that need different cures have different advice", () => {
  const apart = [
    "discovered_not_indexed",
    "crawled_not_indexed",
    "noindex",
    "alternate_canonical",
    "soft_404",
  ] as const;
  const steps = [...apart, "robots_disallowed", "unverifiable", "unknown_to_google"].map(
    (one) => adviceFor(one).nextStep,
  );
  expect(new Set(steps).size).toBe(steps.length);
});

const google = (time: number | null, own: LinkFact["own"] = null): LinkFact => {
  return { source: "url_inspection", at: NOW, shared: {}, time, own };
};
const changed = (time: number): LinkFact => ({ source: "preflight", at: NOW, shared: {}, time, own: null });
const of = (reason: string, facts: LinkFact[], warnings: string[] = []) =>
  adviceForLink(reason, { facts, warnings, now: NOW }).cause;

test("facts of this very page come first", () => {
  expect(of("discovered_not_indexed", [google(null, { onlySitemap: true })])).toMatch(/^Nothing but the sitemap leads/);
  expect(of("crawled_not_indexed", [changed(NOW - DAY), google(NOW - 3 * DAY)])).toMatch(
    /^The last crawl \(2026-01-17\) is older than the page's last change \(2026-01-19\)\./,
  );
  expect(of("crawled_not_indexed", [google(NOW - 131 * DAY)])).toMatch(
    /^The last crawl was 131 days ago\. Of 1\.4 million pages/,
  );
  expect(of("discovered_not_indexed", [google(null, { referring: ["https://a.example/"], noSitemap: true })])).toMatch(
    /^Google names no sitemap that lists this page\. Google finds new pages/,
  );
  expect(of("discovered_not_indexed", [], ["http_5xx"])).toMatch(/^The host did not answer us in time/);
});

test("without such a fact, and where the page itself refuses, the usual cause stands", () => {
  for (const reason of ["discovered_not_indexed", "crawled_not_indexed"])
    expect(of(reason, [google(NOW - 130 * DAY), changed(NOW - 200 * DAY)])).toBe(adviceFor(reason).cause);
  expect(of("noindex", [google(null, { onlySitemap: true })], ["timeout"])).toBe(adviceFor("noindex").cause);
});
