import { basename, dirname } from "node:path";
import { expect, test } from "vitest";
import { operations } from "../tools/index.ts";
import { codeOf, importsOf, type Source, sourcesIn } from "./support/checks/imports.ts";
import { floorOf, isAt, PLATFORM, ROOMS, roomOf } from "./support/checks/rooms.ts";

/** Where a package, or a module of Node that reaches outside the process, may be used. What is not listed here may be used nowhere. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  "@node-rs/argon2": ["src/domain/users/"],
  "@zxcvbn-ts/": ["src/domain/users/"],
  "@simplewebauthn/server": ["factors"],
  "@simplewebauthn/browser": ["browser"],
  otpauth: ["factors"],
  "openid-client": ["issuer"],
  uqr: ["src/surfaces/website/"],
  "@modelcontextprotocol/": ["mcp"],
  "@a2a-js/": ["a2a"],
  busboy: ["src/surfaces/website/shell/list-form.ts"],
  "markdown-it": ["src/surfaces/website/"],
  minisearch: ["src/surfaces/website/", "browser"],
  "@shikijs/": ["src/surfaces/website/"],
  "d3-scale": ["src/surfaces/website/"],
  "d3-shape": ["src/surfaces/website/"],
  compression: ["src/surfaces/website/"],
  preact: ["src/surfaces/website/"],
  "preact-render-to-string": ["src/surfaces/website/"],
  "better-sqlite3": ["db/sqlite/"],
  pg: ["db/postgres/"],
  "prom-client": ["metrics"],
  "@opentelemetry/": ["tracing"],
  // In the domain and in indexing only what owns rows.
  "drizzle-orm": [
    ...[
      "db",
      "placeholders",
      "scheduler",
      "limits",
      "access",
      "spending",
      "calls",
      "events",
      "webhooks",
      "subscriptions",
      "ledger",
      "security-log",
      "credentials",
      "oauth",
      "agents",
      "connections",
      "factors",
      "issuer",
      "orders",
      "cards",
      "src/domain/payments/direct/",
    ],
    ...[
      "people",
      "accounts",
      "mail",
      "users",
      "notices",
      "projects",
      "coverage",
      "inbox",
      "tasks",
      "watches",
      "shares",
      "disabling",
      "deletion",
      "deletion-requests",
      "exports",
      "audit",
      "providers",
      "sites",
      "visits",
      "checker",
    ],
    ...["src/process/instance.ts", "doctor", "metrics"],
  ],
  express: ["src/surfaces/website/"],
  "ipaddr.js": ["http-client", "src/platform/ip-network.ts"],
  htmlparser2: ["preflight"],
  jose: ["oauth", "src/indexing/engines/live/google/", "src/indexing/engines/live/own/"],
  "node-cron": ["checker"],
  nodemailer: ["mail"],
  pino: ["src/process/log.ts"],
  saxes: ["lists"],
  papaparse: ["lists"],
  "punycode.js": ["urls"],
  undici: ["http-client"],
  zod: ["contract", "tools", "a2a", "config", "src/surfaces/mcp/skills.ts", "src/surfaces/mcp/events/"],
  ox: ["chain", "protocol", "facilitator"],
  stripe: ["cards"],
  "node:dns": ["http-client"],
  "node:http": [
    ...["http-server", "rest", "mcp", "a2a", "oauth-endpoints", "payment-events", "visit-push", "publish-hooks"],
    ...["instance", "health", "metrics", "process"],
    // The browser comes back to it from a sign-in.
    "packages/client/src/cli/oauth.ts",
  ],
  "node:worker_threads": ["bulk"],
};

/** Words that belong to few files. */
const WORDS: readonly { readonly word: RegExp; readonly only: readonly string[]; readonly why: string }[] = [
  {
    word: /\bprocess\.env\b/,
    only: ["src/platform/config/config.ts", "src/main.ts", "packages/client/src/main.ts"],
    why: "reads the environment: give it a row in src/platform/config/settings.ts and take it from the config",
  },
  // The first one calls the operator's own service, at an address of the settings; the others run with callers.
  {
    word: /(?<![.#\w])(?:globalThis\.)?fetch\(/,
    only: ["src/process/doctor/machine.ts", "browser", "client"],
    why: "fetches by itself: use src/platform/http-client, which is guarded",
  },
  {
    word: /\bdangerouslySetInnerHTML\b|\bjsxTemplate\b/,
    only: ["src/surfaces/website/shell/raw-html.tsx"],
    why: "writes HTML that is not escaped: use RawHtml, for HTML that we have made ourselves",
  },
  {
    word: /(?<!\bLIMITS)\.[a-z]+(?:_[a-z0-9]+)+\b/,
    only: Object.keys(ROOMS).filter((room) => !isDomain(room)),
    why: "knows a field of the wire: say it in camelCase, and let a surface or src/contract/shapes translate it",
  },
];

/** Words that leave open what is meant, as parts of a file's name, each with where it is the field's own word. */
const VAGUE: Readonly<Record<string, readonly string[]>> = {
  place: [],
  places: [],
  turn: [],
  turns: [],
  look: [],
  looks: [],
  ask: [],
  standing: [],
  // It is said of watched sitemaps, and of nothing else.
  watch: [
    ...["tools/", "src/domain/watches/", "src/indexing/watches/", "src/surfaces/website/", "test/support/watches/"],
    ...["test/src/indexing/watches/", "test/src/domain/watches/", "test/support/website/"],
    ...["src/domain/mail/layout/watch.ts", "src/domain/mail/templates/", "src/contract/exports/watch-sections.ts"],
  ],
};

/**
 * The files of the website that use the domain. Pages call operations; what no operation answers, and what only a person does, is
 * taken of the domain by one file of each room.
 */
const DOMAIN_OF_WEBSITE = [
  "shell",
  "sign-in",
  "overview",
  "sites",
  "projects",
  "shares",
  "credits",
  "spending",
  "agents",
  "account",
].map((room) => `src/surfaces/website/${room}/domain.ts`);

function isDomain(room: string): boolean {
  return ROOMS[room]!.paths.some((path) => /^(db|src\/(domain|indexing))\//.test(path));
}

/** Whether it is an import of the domain by the website. */
function usesDomain(path: string, to: string): boolean {
  return path.startsWith("src/surfaces/website/") && to.startsWith("src/domain/");
}

/** @param wheres names of rooms, folders and files */
function isAmong(path: string, wheres: readonly string[]): boolean {
  return wheres.some((where) => isAt(path, where) || roomOf(path) === where);
}

function violationsOf(source: Source): string[] {
  const { path } = source;
  const room = roomOf(path);
  if (!room) return [`${path} stands in no room: move it into one of those in ROOMS, or give its folder a row there`];
  const wrong: string[] = [];
  for (const imported of importsOf(source)) {
    const { to, isOurs } = imported;
    if (isOurs) {
      const other = roomOf(to) ?? "nothing";
      if (!mayImport(room, other, imported.isType)) wrong.push(`${path} (${room}) imports ${to} (${other}). ${ADVICE}`);
      if (usesDomain(path, to) && !DOMAIN_OF_WEBSITE.includes(path))
        wrong.push(
          `${path} (${room}) uses the domain by itself: call an operation, or take it from domain.ts of its room`,
        );
    } else {
      const known = Object.entries(PACKAGES).find(([name]) => to === name || to.startsWith(name.replace(/\/?$/, "/")));
      const isFine = known ? isAmong(path, known[1]) : to.startsWith("node:");
      if (!isFine) wrong.push(`${path} (${room}) imports the package ${to}, which is not for it: see PACKAGES`);
    }
  }
  const code = codeOf(source);
  for (const { word, only, why } of WORDS) {
    if (word.test(code) && !isAmong(path, only)) wrong.push(`${path} (${room}) ${why}`);
  }
  const lines = source.text.split("\n").length - 1;
  const most = room === "tools" ? 80 : 300;
  // What is generated has one subject, the operations, however many they become.
  if (lines > most && !path.startsWith("packages/client/src/generated/"))
    wrong.push(`${path} has ${lines} lines, more than ${most}: give one of its subjects a file of its own`);
  return wrong;
}

const ADVICE =
  "Move what it needs down to a room that it may import, or say in ROOMS that it may, if that room stands before it";

function mayImport(room: string, other: string, isType: boolean): boolean {
  const { may, types = [] } = ROOMS[room]!;
  return other === room || may.includes(other) || (isType && types.includes(other));
}

/** Files that import each other in a circle, each circle once, types too. */
function circlesIn(sources: readonly Source[]): string[] {
  const imports = new Map(
    sources.map((source) => [source.path, importsOf(source).flatMap(({ to, isOurs }) => (isOurs ? [to] : []))]),
  );
  const circles: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) {
      const circle = [...trail.slice(trail.indexOf(path)), path];
      circles.push(`${circle.join(" → ")} is a circle: move what two of them need to the one that owns it`);
    } else if (!done.has(path)) {
      for (const to of imports.get(path) ?? []) visit(to, [...trail, path]);
      done.add(path);
    }
  };
  for (const path of imports.keys()) visit(path, []);
  return circles;
}

function climbsOf(source: Source): string[] {
  const floor = floorOf(source.path);
  if (floor === -1) return [];
  return importsOf(source)
    .filter(({ to, isOurs }) => isOurs && floorOf(to) > floor)
    .map(({ to }) => `${source.path} imports ${to}, which is on a higher floor: move what it needs down`);
}

/** Every folder below these holds at least three files, its inner folders included. */
const FULL = ["src/platform/", "src/domain/", "src/indexing/", "src/surfaces/"];

/** Small ones that share their subject with no neighbour. The website has one folder for each subject. */
const SMALL = ["src/domain/security-log", "src/surfaces/website/"];

function thinFoldersIn(all: readonly Source[]): string[] {
  const folders = all.map(({ path }) => dirname(path));
  const isFull = (folder: string) => folders.filter((one) => one === folder || dirname(one) === folder).length > 2;
  return [...new Set(folders)]
    .filter((folder) => FULL.some((floor) => folder.startsWith(floor)) && !isFull(folder))
    .filter((folder) => !SMALL.some((small) => isAt(folder, small)))
    .map((folder) => `${folder} has fewer than three files: let them join a neighbour`);
}

function vagueNamesIn(path: string): string[] {
  const parts = basename(path).split(".")[0]!.split("-");
  return parts
    .filter((part) => Object.hasOwn(VAGUE, part) && !VAGUE[part]!.some((where) => isAt(path, where)))
    .map((part) => `${path}: "${part}" leaves open what is meant. Name the file by the word of the field`);
}

const sources = sourcesIn("tools", "rest", "a2a", "db", "src", "packages/client/src");

test("law: every file imports what its room may import", () => {
  expect(sources.length).toBeGreaterThan(100);
  expect(sources.flatMap(violationsOf).join("\n")).toBe("");
});

test("law: a room imports only from rooms that stand before it", () => {
  const order = Object.keys(ROOMS);
  for (const [index, room] of order.entries()) {
    const { may, types = [] } = ROOMS[room]!;
    const later = [...may, ...types].filter((other) => !order.slice(0, index).includes(other));
    expect(later, `${room} imports from rooms that stand after it: move them up, or what it needs down`).toEqual([]);
  }
});

test("law: a room may import only from where it does", () => {
  const used = new Set(
    sources.flatMap((source) =>
      importsOf(source).map(({ to, isOurs, isType }) => isOurs && `${roomOf(source.path)} ${roomOf(to)} ${isType}`),
    ),
  );
  const idle = Object.entries(ROOMS).flatMap(([room, { may, types = [] }]) => [
    ...may
      .filter((other) => !PLATFORM.includes(other))
      .filter((other) => !used.has(`${room} ${other} false`))
      .map((other) => `${room}: may ${other}`),
    ...types.filter((other) => !used.has(`${room} ${other} true`)).map((other) => `${room}: types ${other}`),
  ]);
  expect(idle.join("\n"), "rows that allow what nobody needs: take it out, or name it under `types`").toBe("");
});

test("law: no files import each other in a circle, not by types either", () => {
  expect(circlesIn(sources).join("\n")).toBe("");
});

test("law: src holds the rooms of the architecture and nothing else", () => {
  const shown = new Set(sources.filter(({ path }) => path.startsWith("src/")).map(({ path }) => path.split("/")[1]));
  expect([...shown].sort()).toEqual(
    ["commands", "contract", "domain", "indexing", "main.ts", "platform", "process", "surfaces"].sort(),
  );
});

test("law: a floor imports nothing from a higher floor", () => {
  expect(sources.flatMap(climbsOf).join("\n")).toBe("");
});

test("law: a folder of one or two files joins its neighbour", () => {
  expect(thinFoldersIn(sources).join("\n")).toBe("");
});

test("law: no file has a vague name", () => {
  const files = [...sources, ...sourcesIn("test", "scripts", "bench")];
  expect(files.flatMap(({ path }) => vagueNamesIn(path)).join("\n")).toBe("");
});

test("law: test/src mirrors src, folder by folder", () => {
  const folders = (prefix: string, files: readonly Source[]) =>
    new Set(files.filter(({ path }) => path.startsWith(prefix)).map(({ path }) => dirname(path.slice(prefix.length))));
  const real = folders("src/", sources);
  const strays = [...folders("test/src/", sourcesIn("test"))].filter((folder) => !real.has(folder));
  expect(
    strays,
    "folders of tests whose folder of sources is not there: move the tests to where the sources are",
  ).toEqual([]);
});

test("law: the website uses the domain by at most ten files, each of which does", () => {
  const users = sources.filter((source) => importsOf(source).some(({ to }) => usesDomain(source.path, to)));
  expect(users.map(({ path }) => path).sort()).toEqual([...DOMAIN_OF_WEBSITE].sort());
  expect(DOMAIN_OF_WEBSITE.length).toBeLessThanOrEqual(10);
});

test("law: every row of the tables matches a file", () => {
  for (const place of Object.values(ROOMS).flatMap(({ paths }) => paths)) {
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
    "(ledger) imports src/contract/shapes",
  ],
  [
    "src/domain/ledger/x.ts",
    'import {\n  type Engine,\n  open,\n} from "../../../db/open.ts";',
    "(ledger) imports db/open.ts (db)",
  ],
  ["src/platform/clock.ts", 'export type { Engine } from "../../db/engine.ts";', "(platform) imports db/engine.ts"],
  [
    "packages/client/src/cli/x.ts",
    'import { iso } from "../../../../src/platform/clock.ts";',
    "(client) imports src/platform/clock.ts (platform)",
  ],
  ["rest/x.ts", 'import submit from "../tools/submit-urls.ts";', "(rest) imports tools/submit-urls.ts (tools)"],
  ["rest/x.ts", 'export * from "../src/surfaces/mcp/tools.ts";', "(rest) imports src/surfaces/mcp/tools.ts (mcp)"],
  [
    "src/surfaces/mcp/x.ts",
    'const ledger = await import("../../domain/ledger/ledger.ts");',
    "(mcp) imports src/domain/ledger/ledger.ts (ledger)",
  ],
  [
    "rest/x.ts",
    'import { countSubmission } from "../src/domain/limits/day.ts";',
    "(rest) imports src/domain/limits/day.ts (limits)",
  ],
  ["src/contract/x.ts", 'import "../process/app.ts";', "(contract) imports src/process/app.ts (process)"],
  ["rest/x.ts", 'import express, { type Express } from "express";', "(rest) imports the package express"],
  ["rest/x.ts", 'import type { Tool } from "@modelcontextprotocol/server";', "(rest) imports the package @modelc"],
  ["src/surfaces/website/x.ts", 'import { eq } from "drizzle-orm";', "(website) imports the package drizzle-orm"],
  ["src/surfaces/http-server/x.ts", 'import lodash from "lodash/fp";', "(http-server) imports the package lodash/fp"],
  ["src/domain/projects/x.ts", 'import { createServer } from "node:http";', "(projects) imports the package node:http"],
  ["src/indexing/sitemap/x.ts", 'import { Agent } from "undici";', "(sitemap) imports the package undici"],
  [
    "src/indexing/sitemap/x.ts",
    'import { lookup } from "node:dns/promises";',
    "(sitemap) imports the package node:dns/promises",
  ],
  ["src/indexing/sitemap/x.ts", "const answer = await fetch(url);", "(sitemap) fetches by itself"],
  ["src/indexing/sitemap/x.ts", "const answer = await globalThis.fetch(url);", "(sitemap) fetches by itself"],
  [
    "src/surfaces/website/x.tsx",
    "const page = <p dangerouslySetInnerHTML={{ __html: name }} />;",
    "(website) writes HTML that is not escaped",
  ],
  [
    "src/surfaces/website/shell/x.ts",
    'import { DELETION_TEXT } from "../account/delete-account.tsx";',
    "(website/shell) imports src/surfaces/website/account/delete-account.tsx (website/account)",
  ],
  [
    "src/surfaces/website/components/x.tsx",
    'import type { Page } from "../shell/layout.tsx";',
    "(website/components) imports src/surfaces/website/shell/layout.tsx (website/shell)",
  ],
  [
    "src/surfaces/website/credits/x.tsx",
    'import { ProjectTable } from "../projects/project-table.tsx";',
    "(website/credits) imports src/surfaces/website/projects/project-table.tsx (website/projects)",
  ],
  [
    "src/surfaces/website/projects/x.tsx",
    'import { projectsOf } from "../../../domain/projects/list-projects.ts";',
    "(website/projects) uses the domain by itself",
  ],
  [
    "src/surfaces/website/sign-in/users/domain.ts",
    'import type { Session } from "../../../../domain/users/sessions.ts";',
    "(website/sign-in) uses the domain by itself",
  ],
  ["src/platform/clock.ts", "const zone = process.env.TZ;", "(platform) reads the environment"],
  [
    "src/domain/projects/x.ts",
    "export const id = (input: Input) => input.project_id;",
    "(projects) knows a field of the wire",
  ],
  [
    "src/domain/credentials/x.ts",
    'import { revokeGrant } from "../oauth/grants.ts";',
    "(credentials) imports src/domain/oauth/grants.ts (oauth)",
  ],
  [
    "src/domain/oauth/x.ts",
    'import { registerAgent } from "../agents/registrations.ts";',
    "(oauth) imports src/domain/agents/registrations.ts (agents)",
  ],
  [
    "src/domain/security-log/x.ts",
    'import { recordEvents } from "../events/record.ts";',
    "(security-log) imports src/domain/events/record.ts (events)",
  ],
  [
    "src/domain/users/x.ts",
    'import { message } from "../mail/layout/plain.ts";',
    "(users) imports src/domain/mail/layout/plain.ts (layout)",
  ],
  [
    "src/domain/users/x.ts",
    'import { deleteAccount } from "../deletion/delete-account.ts";',
    "(users) imports src/domain/deletion/delete-account.ts (deletion)",
  ],
  ["src/surprise/x.ts", "", "src/surprise/x.ts stands in no room: move it"],
  ["tools/x.ts", "\n".repeat(81), "tools/x.ts has 81 lines, more than 80"],
  ["src/surfaces/http-server/x.ts", "\n".repeat(301), "src/surfaces/http-server/x.ts has 301 lines, more than 300"],
];

test.each(PLANTED)("a planted violation is caught: %s: %s", (path, text, violation) => {
  expect(violationsOf({ path, text }).join()).toContain(violation);
});

test("a planted import of a higher floor is caught, also one of a type", () => {
  const text = 'import type { Engine } from "../../../db/engine.ts";';
  expect(climbsOf({ path: "src/platform/scheduler/x.ts", text })).toEqual([expect.stringContaining("db/engine.ts")]);
  expect(climbsOf({ path: "src/process/scheduler/x.ts", text })).toEqual([]);
});

test("a planted folder of two files is caught", () => {
  const files = ["a", "b"].map((name) => ({ path: `src/domain/x/${name}.ts`, text: "" }));
  expect(thinFoldersIn(files)).toEqual([expect.stringContaining("src/domain/x")]);
  expect(thinFoldersIn([...files, { path: "src/domain/x/c.ts", text: "" }])).toEqual([]);
});

test("a planted circle of imports is caught, also one of types", () => {
  const circle = circlesIn([
    { path: "src/a/a.ts", text: 'import type { B } from "../b/b.ts";' },
    { path: "src/b/b.ts", text: 'export { c } from "../c/c.ts";' },
    { path: "src/c/c.ts", text: 'import { a } from "../a/a.ts";' },
    { path: "src/d/d.ts", text: 'import { a } from "../a/a.ts";' },
  ]);
  expect(circle).toEqual([expect.stringContaining("src/a/a.ts → src/b/b.ts → src/c/c.ts → src/a/a.ts is a circle")]);
});

test.each([
  ["src/domain/users/ask.ts", 1],
  ["src/platform/watch.ts", 1],
  ["src/surfaces/mcp/resource-places.ts", 1],
  ["tools/watch-sitemap.ts", 0],
  ["src/indexing/sitemap/task-list.ts", 0],
])("a vague name is caught, and only that: %s", (path, most) => {
  expect(vagueNamesIn(path)).toHaveLength(most);
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
