// What action.yml runs: submits pages after a deployment, and writes a summary of the run. It installs the client, and nothing else.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFileSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { pagesOf } from "./changed-pages.mjs";

const { env } = process;
/** Most pages of one submission. */
const MOST = 10_000;

try {
  await submit();
} catch (thrown) {
  const { message, fields } = thrown;
  const next = fields?.buy_url ?? fields?.approval_url;
  // Commands of the runner are lines: what a server has said must not begin another one.
  const said = `${message}${next ? ` See ${next}` : ""}`.replace(/[\r\n]+/g, " ");
  process.stdout.write(`::error title=Beckon::${said.replaceAll("%", "%25")}\n`);
  summarize([`Nothing was submitted: ${said}`]);
  process.exitCode = 1;
}

async function submit() {
  const budget = Number(required("BECKON_BUDGET"));
  if (!Number.isInteger(budget) || budget < 0) throw new Error("budget: must be a whole number of credits.");
  const mode = env.BECKON_MODE || "standard";
  if (mode !== "standard" && mode !== "instant") throw new Error("mode: must be standard or instant.");
  const url = required("BECKON_URL").replace(/\/+$/, "");
  const credential = required("BECKON_API_KEY");
  const { createClient } = await import(installed(env.BECKON_PACKAGE || `${url}/beckon.tgz`));
  const client = createClient({ url, credential });
  const { costs } = await client.getPricing();
  const price = mode === "instant" ? costs.instant_url : costs.standard_url;
  const most = Math.min(MOST, Math.floor(budget / price));
  const { found, urls } = await pagesToSubmit(client);
  const chosen = urls.slice(0, most);
  const rows = [
    ["found", found],
    ["to submit", urls.length],
  ];
  if (chosen.length === 0) {
    const why =
      urls.length === 0
        ? "There is nothing new to submit."
        : `The budget of ${budget} credits is too small for a page.`;
    return report({ rows, notes: [why], outputs: { project: "", submitted: 0, credits: 0 } });
  }
  const name = `${env.GITHUB_REPOSITORY ?? "deployment"} ${(env.GITHUB_SHA ?? "").slice(0, 7)}`.trim();
  const answer = await client
    .submitUrls({ urls: chosen, mode, name }, { idempotencyKey: keyOfRun() })
    .catch((thrown) => {
      if (thrown.code !== "idempotency_mismatch") throw thrown;
      return null;
    });
  if (answer === null) {
    const notes = ["An earlier attempt of this run has submitted pages. The budget of the run is not spent again."];
    return report({ rows, notes, outputs: { project: "", submitted: 0, credits: 0 } });
  }
  const { project, credits_spent: credits, urls_accepted: submitted, balance } = answer;
  const left = urls.length - chosen.length;
  const notes = [
    ...(left > 0 ? [`${left} pages are left, which the budget of ${budget} credits was too small for.`] : []),
    `When Google is checked, and what it has: [project ${project.id}](${url}/dashboard/projects/${project.id})`,
  ];
  report({
    rows: [...rows, ["submitted", submitted], ["credits spent", credits], ["credits left", balance]],
    notes,
    outputs: { project: project.id, submitted, credits },
  });
}

/**
 * The idempotency key of this step of this run. A run that is repeated has it again, whatever it finds by then: what was submitted
 * is not paid twice, and the budget is not spent twice.
 */
function keyOfRun() {
  const run = [env.GITHUB_REPOSITORY, env.GITHUB_RUN_ID, env.GITHUB_JOB, env.GITHUB_ACTION, env.GITHUB_SHA];
  // Jobs of a matrix are alike in all of these, and differ in their inputs.
  const inputs = ["SITEMAP", "FOLDER", "SITE", "MODE", "BUDGET"].map((input) => env[`BECKON_${input}`]);
  return `action-${createHash("sha256")
    .update(JSON.stringify([...run, ...inputs]))
    .digest("hex")}`;
}

async function pagesToSubmit(client) {
  const { BECKON_SITEMAP: sitemap_url, BECKON_FOLDER: folder, BECKON_SITE: site } = env;
  if (Boolean(sitemap_url) === Boolean(folder)) throw new Error("Give either sitemap, or folder and site.");
  if (sitemap_url) {
    const { urls, urls_found: found } = await client.readSitemap({ sitemap_url, skip_already_submitted: true });
    return { found, urls };
  }
  if (!URL.canParse(site ?? "")) throw new Error("site: must be the address at which the folder is published.");
  const urls = pagesOf({ folder, site, before: env.BECKON_BEFORE ?? "" });
  return { found: urls.length, urls };
}

/** Installs the client in a folder of its own. @returns where to import it from */
function installed(specifier) {
  const folder = mkdtempSync(join(env.RUNNER_TEMP ?? tmpdir(), "beckon-"));
  const manifest = join(folder, "package.json");
  writeFileSync(manifest, "{}");
  const options = ["--no-audit", "--no-fund", "--ignore-scripts", "--save", "--silent", "--no-package-lock"];
  // Arguments of a shell on Windows, where npm is a script, would be read again: a specifier has no spaces or signs of a shell.
  if (!/^[\w@:/.+~-]+$/.test(specifier) || specifier.startsWith("-")) throw new Error("package: is no package of npm.");
  execFileSync("npm", ["install", ...options, specifier], { cwd: folder, shell: process.platform === "win32" });
  // npm has saved its name as the only dependency.
  const [name] = Object.keys(JSON.parse(readFileSync(manifest, "utf8")).dependencies);
  return pathToFileURL(join(folder, "node_modules", name, "dist/index.js")).href;
}

function required(name) {
  const value = env[name]?.trim();
  if (value) return value;
  throw new Error(`${name.replace("BECKON_", "").toLowerCase().replace("_", "-")}: is missing.`);
}

function report({ rows, notes, outputs }) {
  const table = ["| | |", "| --- | ---: |", ...rows.map(([what, count]) => `| ${what} | ${count} |`)];
  summarize([table.join("\n"), ...notes]);
  for (const [what, count] of rows) process.stdout.write(`${what}: ${count}\n`);
  if (!env.GITHUB_OUTPUT) return;
  for (const [name, value] of Object.entries(outputs)) appendFileSync(env.GITHUB_OUTPUT, `${name}=${value}\n`);
}

function summarize(paragraphs) {
  if (!env.GITHUB_STEP_SUMMARY) return;
  appendFileSync(env.GITHUB_STEP_SUMMARY, `## Beckon\n\n${paragraphs.join("\n\n")}\n`);
}
