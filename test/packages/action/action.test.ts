import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test, vi } from "vitest";
import { packageRoot } from "../../../src/platform/package-root.ts";
import { urlset } from "../../support/network/sitemap-server.ts";
import { scratchFolder } from "../../support/service/cli.ts";
import { testService } from "../../support/service/service.ts";

// npm and git run.
vi.setConfig({ testTimeout: 120_000 });

const service = await testService({ publishUrl: true });
afterAll(() => service.close());

const entry = readFileSync(join(packageRoot, "action.yml"), "utf8");
/** Inputs of the action that have a default, each with it. */
const DEFAULTS = Object.fromEntries(
  [...entry.matchAll(/^ {2}([\w-]+):\n {4}description: .+\n {4}default: (.*)$/gm)].map(([, name, text]) => [
    name!,
    text === '""' ? "" : text!,
  ]),
);

/** Runs the only step of action.yml in a repository, as a runner does. */
async function run(folder: string, inputs: Readonly<Record<string, string>>, github: Record<string, string> = {}) {
  const [, command] = /^ {6}run: (.+)$/m.exec(entry)!;
  const variables = [...entry.matchAll(/^ {8}([A-Z_]+): \$\{\{ (\w+)\.([\w-]+) \}\}$/gm)];
  expect(variables.length).toBeGreaterThan(8);
  const all: Record<string, string> = { ...DEFAULTS, ...inputs };
  const values = variables.map(([, name, of, key]) => [name!, of === "github" ? packageRoot : (all[key!] ?? "")]);
  const [summary, output] = ["summary.md", "output"].map((name) => join(scratchFolder(), name));
  const env = {
    ...{ PATH: process.env.PATH!, HOME: scratchFolder(), RUNNER_TEMP: scratchFolder() },
    ...{ GITHUB_REPOSITORY: "someone/site", GITHUB_SHA: "0123456789abcdef", ...github },
    ...{ GITHUB_STEP_SUMMARY: summary!, GITHUB_OUTPUT: output!, npm_config_update_notifier: "false" },
    ...Object.fromEntries(values),
  };
  for (const file of [summary!, output!]) writeFileSync(file, "");
  const done = await promisify(execFile)("bash", ["-e", "-c", command!], { cwd: folder, env }).then(
    ({ stdout }) => ({ code: 0, out: stdout }),
    ({ code, stdout }) => ({ code, out: stdout }),
  );
  const outputs = Object.fromEntries(
    readFileSync(output!, "utf8")
      .trim()
      .split("\n")
      .map((line) => line.split("=")),
  );
  return { ...done, summary: readFileSync(summary!, "utf8"), outputs };
}

/** What every use of it has. */
async function uses(credits = 100) {
  const { key } = await service.account({ credits });
  const left = async () => (await service.request("GET", "/account", { key })).json.credits;
  return { key, left, inputs: { url: service.url, "api-key": key } };
}

test("a sitemap: what is new is submitted within the budget, the rest by the next run, and nothing twice", async () => {
  const { inputs, left, key } = await uses();
  const pages = Array.from({ length: 5 }, (_, at) => `https://example.com/${at}`);
  const given = { ...inputs, sitemap: service.site.serve("/action.xml", urlset(pages)), budget: "3" };
  const first = await run(scratchFolder(), given);
  expect(first).toMatchObject({ code: 0, outputs: { submitted: "3", credits: "3" } });
  expect(first.summary).toContain(
    "| found | 5 |\n| to submit | 5 |\n| submitted | 3 |\n| credits spent | 3 |\n| credits left | 97 |",
  );
  expect(first.summary).toContain("2 pages are left");
  const { json: project } = await service.request("GET", `/projects/${first.outputs.project}`, { key });
  expect(project).toMatchObject({ name: "someone/site 0123456", counts: { total: 3 } });
  const repeated = await run(scratchFolder(), given);
  expect(repeated).toMatchObject({ code: 0, outputs: { submitted: "0", credits: "0" } });
  expect(repeated.summary).toContain("An earlier attempt of this run has submitted pages.");
  const second = await run(scratchFolder(), given, { GITHUB_RUN_ID: "2" });
  expect(second.outputs).toMatchObject({ submitted: "2", credits: "2" });
  const third = await run(scratchFolder(), given, { GITHUB_SHA: "abcdef" });
  expect(third).toMatchObject({ code: 0, outputs: { project: "", submitted: "0", credits: "0" } });
  expect(third.summary).toContain("There is nothing new to submit.");
  expect(await left()).toBe(95);
});

test("changed files: their addresses are submitted once, also where the run is repeated", async () => {
  const { inputs, left, key } = await uses();
  const folder = scratchFolder();
  const git = async (...args: string[]) => {
    const who = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
    const { stdout } = await promisify(execFile)("git", [...who, ...args], { cwd: folder });
    return stdout.trim();
  };
  const write = (path: string, text: string) => {
    mkdirSync(join(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  await git("init", "-q", "-b", "main");
  write("public/index.html", "first");
  write("public/old.html", "old");
  await git("add", ".");
  await git("commit", "-qm", "first");
  const before = await git("rev-parse", "HEAD");
  write("public/index.html", "second");
  write("public/a b/index.html", "new");
  write("public/style.css", "");
  write("drafts/no.html", "");
  await git("add", ".");
  await git("commit", "-qm", "second");
  const given = { ...inputs, folder: "./public/", site: "https://example.com/blog", budget: "10", before };
  const first = await run(folder, given);
  expect(first.outputs).toMatchObject({ submitted: "2", credits: "2" });
  const { json } = await service.request("GET", `/projects/${first.outputs.project}/links`, { key });
  const urls = json.links.map(({ url }: { url: string }) => url).toSorted();
  expect(urls).toEqual(["https://example.com/blog/", "https://example.com/blog/a%20b/"]);
  expect((await run(folder, given)).outputs.project).toBe(first.outputs.project);
  expect(await left()).toBe(98);
  const all = await run(folder, { ...given, before: "0".repeat(40) }, { GITHUB_SHA: "ff" });
  expect(all.outputs).toMatchObject({ submitted: "3" });
  const gone = await run(folder, { ...given, before: "a".repeat(40) });
  expect([gone.code, gone.out]).toEqual([1, expect.stringContaining("check out with fetch-depth: 0")]);
});

test.each([
  ["no key", { "api-key": "" }, "api-key: is missing."],
  ["a wrong key", { "api-key": "bk_test_nothing" }, "Nothing was submitted"],
  ["a budget that is no number", { budget: "many" }, "budget: must be a whole number"],
  ["neither sitemap nor folder", { sitemap: "" }, "Give either sitemap, or folder and site."],
  ["a package that is a command", { package: "a; touch b" }, "package: is no package of npm."],
  ["another mode", { mode: "fast" }, "mode: must be standard or instant."],
])("1 for %s, with a summary that says so, and nothing is spent", async (_, change, words) => {
  const { inputs, left } = await uses();
  const sitemap = service.site.serve("/refused.xml", urlset(["https://example.com/"]));
  const { code, out, summary } = await run(scratchFolder(), { ...inputs, sitemap, budget: "5", ...change });
  expect([code, out]).toEqual([1, expect.stringMatching(/^::error title=Beckon::.+\n$/)]);
  expect(summary).toContain(words);
  expect(await left()).toBe(100);
});

test("exit 1 without enough credits, with the address where they are bought", async () => {
  const { inputs } = await uses(1);
  const sitemap = service.site.serve("/poor.xml", urlset(["https://example.com/1", "https://example.com/2"]));
  const { code, summary } = await run(scratchFolder(), { ...inputs, sitemap, budget: "50" });
  expect([code, summary]).toEqual([1, expect.stringMatching(/See http\S+\/pricing/)]);
});
