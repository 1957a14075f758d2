import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { packageRoot } from "../src/platform/package-root.ts";
import { play } from "./demo/play.ts";
import { progressOn } from "./demo/progress.ts";
import { throwAwayService } from "./demo/service.ts";
import { tableOf, totalsOf } from "./demo/table.ts";
import { urlsOf } from "./demo/urls.ts";

const HELP = `Usage: npm run demo [-- FILE] [--json]

Plays sixteen days of indexing in about twenty seconds: starts a sandbox of its own, submits the pages of FILE
over MCP, follows them to the end and shows what became of them. No search engine is called.

FILE    a sitemap (also gzip), a feed, or a list with one URL per line; default: demo/sitemap.xml
--json  end with one JSON document in place of the table`;

try {
  const { values, positionals } = parseArgs({
    options: { json: { type: "boolean" }, help: { type: "boolean", short: "h" } },
    allowPositionals: true,
  });
  if (values.help) console.log(HELP);
  else if (positionals.length > 1) usageError("one FILE at most");
  else process.exitCode = await demo(positionals[0] ?? join(packageRoot, "demo/sitemap.xml"), values.json ?? false);
} catch (thrown) {
  const { code, message } = thrown as NodeJS.ErrnoException;
  if (code?.startsWith("ERR_PARSE_ARGS")) usageError(message);
  else {
    console.error(`demo: ${message}`);
    process.exitCode = 1;
  }
}

async function demo(file: string, json: boolean): Promise<number> {
  const { accepted, duplicates, invalid } = await urlsOf(file);
  const say = (text: string) => process.stderr.write(`${text}\n`);
  say(`${basename(file)}: ${accepted.length} pages; left out: ${duplicates} duplicates, ${invalid} invalid`);
  const throwAway = await throwAwayService(accepted.length);
  const interrupt = () => void throwAway.end().finally(() => process.exit(130));
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  try {
    const name = basename(file).slice(0, 80);
    const { projects, balance, report } = await play(throwAway, accepted, name, progressOn(process.stderr));
    const totals = totalsOf(projects);
    const { ok, problems } = report;
    if (json)
      console.log(
        JSON.stringify({ file: name, projects: projects.length, ...totals, balance, audit: { ok, problems } }),
      );
    else {
      const verdict = ok
        ? `everything adds up, ${report.links} links in ${report.projects} projects`
        : problems.join("; ");
      console.log(`\n${tableOf(projects)}\n\nBalance ${balance} credits. Audit: ${verdict}.`);
    }
    return ok ? 0 : 1;
  } finally {
    await throwAway.end();
  }
}

function usageError(message: string): void {
  console.error(`demo: ${message}\n\n${HELP}`);
  process.exitCode = 2;
}
