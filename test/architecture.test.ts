import { basename } from "node:path";
import { expect, test } from "vitest";
import { operations } from "../tools/index.ts";
import { codeOf, importsOf, type Source, sourcesIn } from "./support/checks/imports.ts";

interface Part {
  /** Folders, which end in `/`, and files; a file in a folder may be of another part than the folder. */
  readonly paths: readonly string[];
  readonly may: readonly string[];
  /** Parts it may name the types of, and nothing else. */
  readonly types?: readonly string[];
}

/** Who may import whom: leaves ← db ← domain ← contract ← tools ← surfaces ← app. A part may import itself. */
const PARTS: Readonly<Record<string, Part>> = {
  leaves: {
    paths: [
      "src/platform/",
      // What every part that writes a row may say.
      "db/placeholders.ts",
    ],
    may: [],
  },
  context: { paths: ["src/contract/context.ts"], may: ["leaves"], types: ["db", "domain"] },
  db: { paths: ["db/"], may: ["leaves"] },
  domain: {
    paths: ["src/domain/", "src/indexing/", "src/platform/scheduler/"],
    may: ["leaves", "context"],
    types: ["db"],
  },
  tasks: { paths: ["src/domain/tasks/"], may: ["leaves", "context", "domain"], types: ["db"] },
  contract: { paths: ["src/contract/"], may: ["leaves", "context", "domain", "tasks"], types: ["db"] },
  tools: { paths: ["tools/"], may: ["leaves", "context", "domain", "contract"] },
  operations: { paths: ["tools/index.ts"], may: ["tools"], types: ["contract"] },
  web: { paths: ["src/surfaces/http-server/"], may: ["leaves"], types: ["context"] },
  rest: { paths: ["rest/"], may: ["leaves", "context", "contract", "operations", "web"] },
  mcp: { paths: ["src/surfaces/mcp/"], may: ["leaves", "context", "contract", "operations", "web"] },
  a2a: { paths: ["a2a/"], may: ["leaves", "context", "contract", "operations", "web", "tasks"] },
  docs: { paths: ["src/surfaces/docs/"], may: ["leaves", "context", "contract", "operations", "domain"] },
  discovery: { paths: ["src/surfaces/discovery/"], may: ["leaves", "context", "contract", "operations", "docs"] },
  oauth: { paths: ["src/surfaces/oauth/"], may: ["leaves", "context", "contract", "web", "domain"] },
  webhooks: { paths: ["src/surfaces/webhooks/"], may: ["leaves", "contract", "web", "domain"] },
  site: {
    paths: ["src/surfaces/website/"],
    may: ["leaves", "context", "contract", "operations", "web", "domain", "docs"],
    types: ["db", "discovery"],
  },
  app: {
    paths: ["src/main.ts", "src/commands/", "src/process/"],
    may: [
      "leaves",
      "context",
      "db",
      "domain",
      "contract",
      "operations",
      "web",
      "rest",
      "mcp",
      "a2a",
      "tasks",
      "docs",
      "discovery",
      "oauth",
      "site",
      "webhooks",
    ],
  },
};

/** Where a package, or a module of Node that opens a door, may be used; what is not here may be used nowhere. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  "@node-rs/argon2": ["src/domain/users/"],
  "@modelcontextprotocol/": ["mcp"],
  "@a2a-js/": ["a2a"],
  "markdown-it": ["site"],
  "better-sqlite3": ["db/sqlite/"],
  pg: ["db/postgres/"],
  "prom-client": ["src/process/metrics/"],
  "@opentelemetry/": ["src/process/tracing/"],
  "drizzle-orm": [
    "db",
    "db/placeholders.ts",
    "domain",
    "tasks",
    "src/process/instance.ts",
    "src/process/doctor/",
    "src/process/metrics/",
  ],
  express: ["site"],
  "ipaddr.js": ["src/platform/http-client/"],
  htmlparser2: ["src/indexing/preflight/"],
  jose: ["src/domain/auth/", "src/indexing/engines/live/google/"],
  "node-cron": ["src/indexing/checker/"],
  nodemailer: ["src/domain/mail/"],
  pino: ["src/process/log.ts"],
  saxes: ["src/indexing/sitemap/"],
  undici: ["src/platform/http-client/http-client.ts", "src/platform/http-client/"],
  zod: ["contract", "tools", "a2a", "src/platform/config/"],
  "@x402/": ["src/domain/payments/direct/"],
  viem: ["src/domain/payments/direct/"],
  stripe: ["src/domain/payments/cards/"],
  "node:dns": ["src/platform/http-client/"],
  "node:http": ["web", "rest", "mcp", "a2a", "oauth", "webhooks", "app"],
  "node:worker_threads": ["src/process/bulk/"],
};

/** Words that belong to few files. */
const WORDS: readonly { readonly word: RegExp; readonly only: readonly string[]; readonly why: string }[] = [
  { word: /\bprocess\.env\b/, only: ["src/platform/config/config.ts", "src/main.ts"], why: "reads the environment" },
  // These two call the operator's own service, at an address of the settings.
  {
    word: /(?<![.#\w])(?:globalThis\.)?fetch\(/,
    only: ["src/surfaces/mcp/remote.ts", "src/process/doctor/machine.ts"],
    why: "fetches by itself",
  },
  {
    word: /(?<!\bLIMITS)\.[a-z]+(?:_[a-z0-9]+)+\b/,
    only: Object.keys(PARTS).filter((part) => part !== "domain" && part !== "db"),
    why: "knows a field of the wire",
  },
];

function partOf(path: string): string | undefined {
  const fits = Object.entries(PARTS).flatMap(([name, { paths }]) =>
    paths.filter((one) => isAt(path, one)).map((one) => [name, one.length] as const),
  );
  return fits.sort(([, a], [, b]) => b - a)[0]?.[0];
}

function isAt(path: string, place: string): boolean {
  return path === place || (place.endsWith("/") && path.startsWith(place));
}

/** @param places names of parts, folders and files */
function isAmong(path: string, places: readonly string[]): boolean {
  return places.some((place) => isAt(path, place) || partOf(path) === place);
}

function violationsOf(source: Source): string[] {
  const { path } = source;
  const part = partOf(path);
  if (!part) return [`${path} stands in no part: say in PARTS which one it is of`];
  const { may, types = [] } = PARTS[part]!;
  const wrong: string[] = [];
  for (const { to, isOurs, isType } of importsOf(source)) {
    if (isOurs) {
      const other = partOf(to) ?? "nothing";
      const isFine = other === part || may.includes(other) || (isType && types.includes(other));
      if (!isFine) wrong.push(`${path} (${part}) imports ${to} (${other})`);
    } else {
      const known = Object.entries(PACKAGES).find(([name]) => to === name || to.startsWith(name.replace(/\/?$/, "/")));
      const isFine = known ? isAmong(path, known[1]) : to.startsWith("node:");
      if (!isFine) wrong.push(`${path} (${part}) imports the package ${to}`);
    }
  }
  const code = codeOf(source);
  for (const { word, only, why } of WORDS) {
    if (word.test(code) && !isAmong(path, only)) wrong.push(`${path} (${part}) ${why}`);
  }
  const lines = source.text.split("\n").length - 1;
  const most = part === "tools" ? 80 : 300;
  if (lines > most) wrong.push(`${path} has ${lines} lines, more than ${most}`);
  return wrong;
}

const sources = sourcesIn("tools", "rest", "a2a", "db", "src");

test("law: every file imports what its part may import", () => {
  expect(sources.length).toBeGreaterThan(100);
  expect(sources.flatMap(violationsOf)).toEqual([]);
});

test("law: every row of the tables stands for something", () => {
  for (const place of Object.values(PARTS).flatMap(({ paths }) => paths)) {
    expect(
      sources.some(({ path }) => isAt(path, place)),
      place,
    ).toBe(true);
  }
  const imported = sources.flatMap(importsOf).map(({ to }) => to);
  for (const name of Object.keys(PACKAGES))
    expect(
      imported.some((to) => to.startsWith(name)),
      name,
    ).toBe(true);
});

const PLANTED: readonly (readonly [path: string, text: string, violation: string])[] = [
  [
    "src/domain/ledger/x.ts",
    'import { Project } from "../../contract/shapes/project.ts";',
    "(domain) imports src/contract/shapes",
  ],
  [
    "src/domain/ledger/x.ts",
    'import {\n  type Engine,\n  open,\n} from "../../../db/open.ts";',
    "(domain) imports db/open.ts (db)",
  ],
  ["src/platform/clock.ts", 'export type { Engine } from "../../db/engine.ts";', "(leaves) imports db/engine.ts"],
  ["rest/x.ts", 'import submit from "../tools/submit-urls.ts";', "(rest) imports tools/submit-urls.ts (tools)"],
  ["rest/x.ts", 'export * from "../src/surfaces/mcp/tools.ts";', "(rest) imports src/surfaces/mcp/tools.ts (mcp)"],
  [
    "src/surfaces/mcp/x.ts",
    'const ledger = await import("../../domain/ledger/ledger.ts");',
    "(mcp) imports src/domain/ledger/ledger.ts (domain)",
  ],
  [
    "rest/x.ts",
    'import { countSubmission } from "../src/domain/limits/day.ts";',
    "(rest) imports src/domain/limits/day.ts (domain)",
  ],
  ["src/contract/x.ts", 'import "../process/app.ts";', "(contract) imports src/process/app.ts (app)"],
  ["rest/x.ts", 'import express, { type Express } from "express";', "(rest) imports the package express"],
  ["rest/x.ts", 'import type { Tool } from "@modelcontextprotocol/server";', "(rest) imports the package @modelc"],
  ["src/surfaces/website/x.ts", 'import { eq } from "drizzle-orm";', "(site) imports the package drizzle-orm"],
  ["src/surfaces/http-server/x.ts", 'import lodash from "lodash/fp";', "(web) imports the package lodash/fp"],
  ["src/domain/projects/x.ts", 'import { createServer } from "node:http";', "(domain) imports the package node:http"],
  ["src/indexing/sitemap/x.ts", 'import { Agent } from "undici";', "(domain) imports the package undici"],
  [
    "src/indexing/sitemap/x.ts",
    'import { lookup } from "node:dns/promises";',
    "(domain) imports the package node:dns/promises",
  ],
  ["src/indexing/sitemap/x.ts", "const answer = await fetch(url);", "(domain) fetches by itself"],
  ["src/indexing/sitemap/x.ts", "const answer = await globalThis.fetch(url);", "(domain) fetches by itself"],
  ["src/platform/clock.ts", "const zone = process.env.TZ;", "(leaves) reads the environment"],
  [
    "src/domain/projects/x.ts",
    "export const id = (input: Input) => input.project_id;",
    "(domain) knows a field of the wire",
  ],
  ["src/surprise/x.ts", "", "src/surprise/x.ts stands in no part"],
  ["tools/x.ts", "\n".repeat(81), "tools/x.ts has 81 lines, more than 80"],
  ["src/surfaces/http-server/x.ts", "\n".repeat(301), "src/surfaces/http-server/x.ts has 301 lines, more than 300"],
];

test.each(PLANTED)("a planted violation is caught: %s: %s", (path, text, violation) => {
  expect(violationsOf({ path, text }).join()).toContain(violation);
});

test.each([
  ["src/contract/context.ts", 'import type { Engine } from "../../db/engine.ts";'],
  ["src/domain/ledger/x.ts", 'import { type Tx, type Reader } from "../../../db/engine.ts";'],
  ["src/domain/projects/x.ts", '// as in `input.project_id`\nconst text = "input.project_id"; // and link.link_id'],
  ["src/indexing/sitemap/x.ts", "await this.#fetch(url); await modern.fetch(request); prefetch(url);"],
  ["src/process/bulk/x.ts", 'import { operations } from "../../../tools/index.ts";'],
])("what is allowed is not a violation: %s: %s", (path, text) => {
  expect(violationsOf({ path, text })).toEqual([]);
});

const files = sourcesIn("tools").filter(({ path }) => path !== "tools/index.ts");

test.each(files.map(({ path }) => path))("%s: one operation, of the name of its file", async (path) => {
  const exported = await import(/* @vite-ignore */ `../${path}`);
  expect(Object.keys(exported)).toEqual(["default"]);
  expect(exported.default.name).toBe(basename(path, ".ts").replaceAll("-", "_"));
  expect(operations).toContain(exported.default);
});

test("tools/index.ts lists every operation, and does nothing else", () => {
  expect(operations).toHaveLength(files.length);
  const { text } = sources.find(({ path }) => path === "tools/index.ts")!;
  const rest = text
    .replace(/^import .*;$/gm, "")
    .replace(/\/\*\*.*\*\//g, "")
    .trim();
  expect(rest).toMatch(/^export const operations: readonly AnyOperation\[\] = \[[\s\w,]*\];$/);
});
