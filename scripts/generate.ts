import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { usageOf } from "../src/commands/help.ts";
import { commands } from "../src/commands/index.ts";
import { type Access, isOn, scopesOf } from "../src/contract/operation.ts";
import { baseUnitsOf, PACKS } from "../src/domain/payments/orders/packs.ts";
import { LOOKUP_PROVIDERS } from "../src/indexing/engines/live/lookup/index.ts";
import { SUBMISSION_PROVIDERS } from "../src/indexing/engines/live/submit/index.ts";
import { FATES } from "../src/indexing/engines/sandbox/fate.ts";
import { CHECK_DAYS } from "../src/platform/check-days.ts";
import { SETTINGS } from "../src/platform/config/config.ts";
import { formatDollars, formatNumber } from "../src/platform/format.ts";
import { packageRoot } from "../src/platform/package-root.ts";
import { OBSERVED, READ } from "../src/process/metrics/table.ts";
import { table } from "../src/surfaces/docs/markdown.ts";
import { faultTable } from "../src/surfaces/docs/sandbox.ts";
import { DEEP, DEEP_ON_POSTGRES } from "../test/support/checks/tiers.ts";
import { operations } from "../tools/index.ts";
import { updateAnswers } from "./answers.ts";
import { updateClient } from "./client-types.ts";
import { NEGATIVE_PROMPTS, TEST_PROMPTS } from "./listing/prompts.ts";
import { RULES } from "./listing/rules.ts";
import { roomsPicture } from "./rooms-picture.ts";
import { updateSnapshots } from "./snapshots.ts";
import { updateTestChains } from "./test-chains.ts";

/**
 * Writes the generated text between `<!-- generated: NAME -->` and `<!-- end -->`, the snapshots of what is published,
 * the example responses of the documents, which come from a service in this process, the list of test chains, which comes
 * from viem, and the types of the client package. With --check it writes nothing and fails if a file is out of date.
 */
const PARTS: Readonly<Record<string, () => string>> = {
  settings: () =>
    table(
      ["setting", "default", "what it is"],
      Object.entries(SETTINGS).map(([name, { schema, about }]) => [`\`${name}\``, defaultOf(schema), about]),
    ),
  operations: () =>
    table(
      ["tool", "REST", "needs", "what it does"],
      operations.map((operation) => [
        `\`${operation.name}\`${isOn(operation, "mcp") ? "" : " (REST only)"}`,
        `\`${operation.rest.method} ${operation.rest.path}\``,
        needs(operation.access),
        operation.title,
      ]),
    ),
  commands: () =>
    table(
      ["command", "what it does"],
      commands.map((command) => [`\`${usageOf(command)}\``, command.about]),
    ),
  submission_providers: () =>
    table(
      ["provider", "engine", "needs", "what it does"],
      Object.entries(SUBMISSION_PROVIDERS).map(([name, { lane, settings, about }]) => [
        `\`${name}\``,
        lane,
        codes(settings),
        about,
      ]),
    ),
  lookup_providers: () =>
    table(
      ["provider", "needs", "what it does"],
      Object.entries(LOOKUP_PROVIDERS).map(([name, { settings, about }]) => [`\`${name}\``, codes(settings), about]),
    ),
  packs: () =>
    table(
      ["pack", "credits", "card", "stablecoin, base units (six decimals)"],
      PACKS.map((pack) => [
        `\`${pack.id}\``,
        formatNumber(pack.credits),
        formatDollars(pack.amountCents),
        baseUnitsOf(pack),
      ]),
    ),
  fates: () =>
    table(
      ["`?sandbox=`", "share", "what happens"],
      Object.entries(FATES).map(([name, { share, about }]) => [`\`${name}\``, `${share} %`, about]),
    ),
  faults: faultTable,
  rooms: roomsPicture,
  directory_rules: () =>
    table(
      ["directory", "what it asks", "how Beckon meets it"],
      RULES.map(({ directory, asks, answer, source }) => [directory, asks, `${answer} ([rule](${source}))`]),
    ),
  test_prompts: () =>
    table(
      ["prompt", "tools", "what comes of it"],
      [...TEST_PROMPTS, ...NEGATIVE_PROMPTS].map(({ prompt, tools, expected }) => [
        prompt,
        tools.length > 0 ? codes(tools) : "none",
        expected,
      ]),
    ),
  deep: () =>
    table(
      ["tests", "why"],
      [DEEP, DEEP_ON_POSTGRES].flatMap((reasons) =>
        Object.entries(reasons).map(([why, names]) => [
          `${codes(names.map((name) => `test/${name}`))}${reasons === DEEP ? "" : " on PostgreSQL"}`,
          why,
        ]),
      ),
    ),
  metrics: () =>
    table(
      ["metric", "kind", "labels", "meaning"],
      Object.entries({ ...OBSERVED, ...READ }).map(([name, { kind, labels, help, note }]) => [
        `\`${name}\``,
        kind,
        codes(labels),
        note === undefined ? help : `${help}; ${note}`,
      ]),
    ),
};

/** Numbers within sentences, which stand between `<!-- NAME -->` and `<!-- end -->`. */
const FIGURES: Readonly<Record<string, number>> = {
  first_check_day: CHECK_DAYS.first,
  final_check_day: CHECK_DAYS.final,
  first_check_hours: CHECK_DAYS.first * 24,
  final_check_hours: CHECK_DAYS.final * 24,
};

const FILES = ["README.md", "CONTRIBUTING.md", ...markdownIn("docs"), ...markdownIn("src/surfaces/docs/pages/docs")];

const checking = process.argv.includes("--check");
const stale = FILES.filter((file) => {
  const path = join(packageRoot, file);
  const before = readFileSync(path, "utf8");
  const after = filled(before);
  if (!checking && after !== before) writeFileSync(path, after);
  return after !== before;
});
stale.push(...updateTestChains(checking), ...(await updateAnswers(checking)), ...updateSnapshots(checking));
stale.push(...updateClient(checking));
if (checking && stale.length > 0) {
  console.error(`${stale.join(", ")}: out of date. Run: npm run generate`);
  process.exitCode = 1;
}

function filled(text: string): string {
  const counted = text.replace(/<!-- (\w+) -->\d+<!-- end -->/g, (whole, name: string) =>
    Object.hasOwn(FIGURES, name) ? `<!-- ${name} -->${FIGURES[name]}<!-- end -->` : whole,
  );
  return counted.replace(
    /(<!-- generated: (\w+) -->\n)[\s\S]*?(<!-- end -->)/g,
    (_, begin: string, name: string, end: string) => {
      const part = PARTS[name];
      if (!part) throw new Error(`there is no generated text called ${name}`);
      return `${begin}${part()}\n${end}`;
    },
  );
}

function markdownIn(folder: string): string[] {
  return readdirSync(join(packageRoot, folder)).flatMap((name) => (name.endsWith(".md") ? `${folder}/${name}` : []));
}

function codes(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}

function defaultOf(schema: (typeof SETTINGS)[keyof typeof SETTINGS]["schema"]): string {
  const { data } = schema.safeParse(undefined);
  const isList = Array.isArray(data) && data.every((one) => typeof one === "string");
  const text = typeof data === "object" && !isList ? "" : String(data ?? "");
  return text === "" ? "" : `\`${text}\``;
}

function needs(access: Access): string {
  if (access.kind === "public") return "nothing";
  if (access.kind === "credential") return "any credential";
  if (access.anonymous) return `\`${access.scope}\`; without a credential it is \`${access.anonymous.name}\``;
  const scopes = scopesOf(access).map((scope) => `\`${scope}\``);
  return [...scopes, ...(access.paid ? ["a paid account"] : [])].join(", ");
}
