import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cardMethodOf } from "../../domain/payments/find-method.ts";
import { CHECK_DAYS } from "../../platform/check-days.ts";
import { askAt, type Config } from "../../platform/config/config.ts";
import { formatNumber } from "../../platform/format.ts";
import { OLDEST_NODE } from "../../platform/node-version.ts";
import { SERVER_PACKAGE } from "../../platform/own-command.ts";
import { packageRoot } from "../../platform/package-root.ts";
import { SIZES } from "../../platform/sizes.ts";
import { version } from "../../platform/version.ts";
import { clientSpecifier } from "../install/client-package.ts";
import { type Document, markdownPath, SECTIONS } from "./document.ts";
import { CREDIT_COSTS, STOP_SECONDS } from "./key-figures.ts";
import { fill, type Values } from "./template.ts";

/** The pages that people write, each at the path that it has in the service. The package brings this folder as it is. */
export const PAGES = join(packageRoot, "src/surfaces/docs/pages");

/** The page at a path. @param values what it alone takes */
export function pageOf(path: string, config: Config, values: Values = {}): Document {
  const file = markdownPath(path).slice(1);
  try {
    return { path, ...parsed(fill(read(file), values, sharedValues(config))) };
  } catch (thrown) {
    throw new Error(`${file}: ${(thrown as Error).message}`);
  }
}

/** What every page may take. */
export function sharedValues(config: Config): Values {
  const { siteUrl, contact, clientPackage, mode, cards, direct, isSelling, signUp } = config;
  const method = cardMethodOf(config);
  return {
    siteUrl,
    contact: contact ?? "",
    /** What npm and npx install. */
    client: clientSpecifier(config),
    clientPackage: clientPackage ?? "",
    server: SERVER_PACKAGE,
    version,
    nodeVersion: OLDEST_NODE,
    stopSeconds: String(STOP_SECONDS),
    isSandbox: mode === "sandbox",
    isSelling,
    isSignUpOpen: signUp === "open",
    askAt: askAt(config),
    cards: cards !== "none",
    isSandboxPayment: method?.isSandbox === true,
    processor: method && !method.isSandbox ? method.processor : "",
    direct: direct !== undefined,
    firstDay: String(CHECK_DAYS.first),
    finalDay: String(CHECK_DAYS.final),
    standardCost: String(CREDIT_COSTS.standard),
    instantCost: String(CREDIT_COSTS.instant),
    urlsPerCredit: String(CREDIT_COSTS.checked),
    urlsPerProject: formatNumber(SIZES.urlsPerSubmission),
    coverageDays: formatNumber(SIZES.coverageDays),
  };
}

/** A file, with the passages that several pages have in place of `{{> name}}`, without the marks around generated text. */
function read(file: string): string {
  const text = readFileSync(join(PAGES, file), "utf8").replace(/^<!-- (generated: \w+|end) -->\n/gm, "");
  return text.replace(/\{\{> ([\w-]+)\}\}/g, (_, name: string) => read(`passages/${name}.md`).trimEnd());
}

/** A page begins with its title, its summary and its section, if it has one, each on a line. */
function parsed(text: string): Omit<Document, "path"> {
  const [, head = "", markdown = ""] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text) ?? [];
  const { title, summary, section } = Object.fromEntries(
    head.split("\n").map((line) => [line.split(": ")[0]!, line.slice(line.indexOf(": ") + 2)]),
  );
  if (!title || !summary) throw new Error("It has no title or no summary.");
  const known = SECTIONS.find((one) => one === section);
  if (section && !known) throw new Error(`There is no section ${section}.`);
  return { title, summary, ...(known ? { section: known } : {}), markdown: `${markdown.trimEnd()}\n` };
}
