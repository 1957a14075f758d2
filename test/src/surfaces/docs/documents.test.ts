import { readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { isIdempotent } from "../../../../src/contract/operation.ts";
import { ERRORS } from "../../../../src/platform/errors/errors.ts";
import { OAUTH_ERRORS } from "../../../../src/platform/errors/oauth-errors.ts";
import { LIMITS } from "../../../../src/platform/limits.ts";
import { version } from "../../../../src/platform/version.ts";
import { documentsOf, markdownPath } from "../../../../src/surfaces/docs/index.ts";
import { operations } from "../../../../tools/index.ts";
import { DIRECT } from "../../../support/payments/fake-direct-payments.ts";
import { testService } from "../../../support/service/service.ts";

const payments = { cards: null, direct: null };
const service = await testService({ config: { direct: DIRECT }, payments });
afterAll(() => service.close());
const documents = documentsOf(service.config);
const textAt = (path: string) => documents.find((one) => one.path === path)!.markdown;

test("law: every document has its own path, title and summary, and begins with its heading", () => {
  expect(documents.length).toBeGreaterThan(60);
  for (const of of [({ path }: { path: string }) => path, ({ title }: { title: string }) => title]) {
    const seen = documents.map(of);
    expect(new Set(seen).size).toBe(seen.length);
  }
  for (const { path, summary, markdown } of documents) {
    expect(path, path).toMatch(/^\/(?:[\w-]+(?:\/[\w-]+)*)?$/);
    expect(summary.length, path).toBeGreaterThan(5);
    expect(summary, path).not.toMatch(/[[\]`*|]|\n/);
    expect(markdown.match(/^# .+$/gm)?.length, path).toBeGreaterThan(0);
    expect(markdown, path).toMatch(/^# \S/);
    expect(markdown, path).not.toMatch(/undefined|NaN|\[object/);
  }
});

test("law: every operation, error and limit is in the docs", () => {
  for (const { name, title, rest, description } of operations) {
    const text = textAt(`/docs/operations/${name}`);
    for (const part of [title, description, `${rest.method} /api/v1${rest.path}`]) expect(text).toContain(part);
    expect(textAt("/docs/operations")).toContain(`(/docs/operations/${name})`);
  }
  for (const [code, { title, cause, remedy }] of Object.entries({ ...OAUTH_ERRORS, ...ERRORS })) {
    const text = textAt(`/docs/errors/${code}`);
    for (const part of [`# ${title}`, cause, remedy]) expect(text).toContain(part);
    expect(textAt("/docs/errors")).toContain(`(/docs/errors/${code})`);
  }
  for (const { count, window } of Object.values(LIMITS)) {
    const most = `${count.toLocaleString("en-US")} ${window.startsWith("since") ? window : `per ${window}`}`;
    expect(textAt("/docs/limits")).toContain(`| ${most} |`);
  }
  const rows = textAt("/docs/limits").match(/ (?:per (?:minute|hour|day|\d+ \w+)|since the last sign-in) \|$/gm);
  expect(rows).toHaveLength(Object.keys(LIMITS).length);
});

test("law: every field on an operation's page has a meaning, and the idempotency key is the last", () => {
  for (const operation of operations) {
    const input = textAt(`/docs/operations/${operation.name}`).split("## Input\n\n")[1]!.split("\n## ")[0]!;
    const rows = input.split("\n").filter((line) => line.startsWith("| `"));
    for (const row of rows)
      expect(
        row
          .split(/(?<!\\)\|/)
          .at(-2)
          ?.trim(),
        `${operation.name} ${row}`,
      ).not.toBe("");
    expect([operation.name, rows.at(-1)?.startsWith("| `idempotency_key` |") ?? false]).toEqual([
      operation.name,
      isIdempotent(operation),
    ]);
  }
});

test.each([
  ["submit_urls", "1 credit per URL, 3 in the mode `instant`, spent at once"],
  ["submit_sitemap", "1 credit per URL, 3 in the mode `instant`, spent at once"],
  ["check_urls", "1 credit per 10 URLs, spent at once"],
  ["get_project", "nothing |"],
])("%s costs %s", (name, price) => {
  expect(textAt(`/docs/operations/${name}`)).toContain(`| Costs | ${price}`);
});

test("law: a table has a heading for every column, or for none", () => {
  for (const { path, markdown } of documents) {
    for (const [, head] of markdown.matchAll(/^\|(.*)\|\n\| ---/gm)) {
      const titles = head!.split("|").map((title) => title.trim() !== "");
      expect(new Set(titles).size, `${path}: ${head}`).toBe(1);
    }
  }
});

test("200: an answer to an anonymous call has the headers that /docs/limits names", async () => {
  const { headers } = await fetch(`${service.url}/api/v1/pricing`);
  const named = [...textAt("/docs/limits").matchAll(/`(RateLimit-\w+)`/g)].map(([, name]) => name!);
  expect(named).toHaveLength(4);
  for (const name of named) expect(headers.get(name), name).toMatch(/^\d/);
});

test("the quickstarts say whether a wallet can pay, and how its agent signs in", () => {
  const without = documentsOf({ ...service.config, direct: undefined });
  const index = without.find(({ path }) => path === "/docs/quickstart")!;
  expect(index.markdown).toContain("does not accept payments from a wallet");
  expect(textAt("/docs/quickstart")).not.toContain("does not accept payments from a wallet");
  const wallet = textAt("/docs/quickstart/wallet");
  const [agent, signUp, key] = ["/auth.md", "/sign-up", "after buying a first pack"].map((text) =>
    wallet.indexOf(text),
  );
  expect(0 < agent! && agent! < signUp! && signUp! < key!).toBe(true);
});

test.each([
  ["stripe", "/docs/operations/buy_credits"],
  ["none", "Ask its operator for credits."],
] as const)("an agent with a wallet learns what to do if direct payment is disabled; cards: %s", (cards, instead) => {
  const without = documentsOf({ ...service.config, direct: undefined, cards });
  const { markdown } = without.find(({ path }) => path === "/docs/quickstart/wallet")!;
  expect(markdown).toContain("direct_payment_disabled");
  expect(markdown).toContain(instead);
  expect(markdown).not.toContain("WALLET_KEY");
});

test("law: an operation that is not offered has no page", () => {
  const without = documentsOf({ ...service.config, direct: undefined, cards: "none" });
  const paths = without.map(({ path }) => path);
  for (const name of ["pay_direct", "get_direct_price", "buy_credits"])
    expect(paths).not.toContain(`/docs/operations/${name}`);
  const own = new Set(without.flatMap(({ path }) => [path, markdownPath(path)]));
  for (const { path, markdown } of without) {
    for (const [, link] of markdown.matchAll(/\]\((\/docs[^)\s#]*)/g))
      expect([path, link, own.has(link!)]).toEqual([path, link, true]);
  }
});

test("the changelog has an entry of this version", () => {
  const text = textAt("/docs/changelog");
  expect(text).toBe(readFileSync("CHANGELOG.md", "utf8"));
  expect(text).toContain(`## [${version}]`);
});
