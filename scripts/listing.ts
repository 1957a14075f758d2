import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { readListing } from "./listing/read-listing.ts";
import { RULES } from "./listing/rules.ts";
import { submissionOf } from "./listing/submission.ts";

/**
 * Holds a running service against the published rules of the directories that list MCP servers (docs/list-it.md). It reads only,
 * without a credential. Exit code 1: a rule is not held.
 */
const HELP = `Usage: npm run listing -- [ADDRESS] [--chatgpt FILE]

Holds a running service against the rules of the directories of ChatGPT and Claude and of the MCP registry.

  ADDRESS         of the service; default: BECKON_URL, or http://localhost:3000
  --chatgpt FILE  writes what the form of OpenAI's directory imports: words, tools with their hints, prompts

Example: npm run listing -- https://beckon.example.com --chatgpt chatgpt-app-submission.json`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { chatgpt: { type: "string" }, help: { type: "boolean", short: "h" } },
});

if (values.help) console.log(HELP);
else await main((positionals[0] ?? process.env.BECKON_URL ?? "http://localhost:3000").replace(/\/+$/, ""));

async function main(siteUrl: string): Promise<void> {
  const listing = await readListing(siteUrl).catch((thrown: unknown) => {
    console.error(
      `${siteUrl} does not answer as a Beckon service: ${thrown instanceof Error ? thrown.message : thrown}`,
    );
    process.exit(1);
  });
  let before = "";
  for (const { directory, asks, answer, problems } of RULES) {
    if (directory !== before) console.log(`${before === "" ? "" : "\n"}${directory}`);
    before = directory;
    const found = problems(listing);
    console.log(`  ${found.length === 0 ? "✓" : "✗"} ${asks}`);
    for (const problem of found) console.log(`      ${problem}`);
    if (found.length === 0) continue;
    console.log(`      What answers it: ${answer.replaceAll("`", "")}`);
    process.exitCode = 1;
  }
  console.log(`\nThe address to list: ${listing.endpoint}`);
  if (values.chatgpt === undefined) return;
  writeFileSync(values.chatgpt, `${JSON.stringify(submissionOf(listing), null, 2)}\n`);
  console.log(`Written: ${values.chatgpt}`);
}
