import { expect, test } from "vitest";
import { commands } from "../../../../packages/client/src/cli/commands/index.ts";
import { SYNONYMS } from "../../../../packages/client/src/cli/unknown-command.ts";
import { client } from "../../../support/client/beckon-client.ts";
import { scratchFolder } from "../../../support/service/cli.ts";

/** What a wrong command line prints as text, and its exit code. Nothing is called. */
async function refused(...args: string[]): Promise<[code: number, words: string]> {
  const { code, err } = await client({ BECKON_CONFIG_DIR: scratchFolder() }, [...args, "--text"]);
  return [code, err.replaceAll("\n", " ").trim()];
}

test.each([
  [["sbmit"], 'There is no command "sbmit". Did you mean "submit"?'],
  [["Submit"], 'There is no command "Submit". Did you mean "submit"?'],
  [["projects"], 'There is no command "projects". Did you mean "status"?'],
  [["submit", "--folow"], "Unknown option '--folow'. Did you mean --follow?"],
  [["credits", "--jsn"], "Unknown option '--jsn'. Did you mean --json?"],
  [["call", "submit_url"], 'There is no operation "submit_url". Did you mean "submit_urls"?'],
])("exit 2 %j: offers the name that was probably meant", async (args, words) => {
  expect(await refused(...args)).toEqual([2, expect.stringContaining(words)]);
});

test.each([[["frobnicate"]], [["constructor"]], [["submit", "--frobnicate"]], [["call", "frobnicate"]]])(
  "exit 2 %j: offers nothing where no name is near",
  async (args) => {
    expect(await refused(...args)).toEqual([2, expect.not.stringContaining("Did you mean")]);
  },
);

test.each([
  [["submit", "--max-credits", "-5"], "--max-credits: a value that begins with - is written --max-credits=-5."],
  [["submit", "--name", "--5"], "--name: a value that begins with - is written --name=--5."],
  [["submit", "--name", "a", "--name", "-b"], "--name: a value that begins with - is written --name=-b."],
  [["submit", "--name", "--follow"], "--name: the value is missing."],
  [["submit", "--name", "--mode=instant"], "--name: the value is missing."],
])("exit 2 %j: one sentence says what is wrong with the value", async (args, sentence) => {
  expect(await refused(...args)).toEqual([2, `beckon: ${sentence} Run "beckon submit --help".`]);
});

const alone = commands.filter(({ operands }) => operands === "").map(({ name }) => name);

test.each(alone)("exit 2 %s extra: names the word, and does nothing", async (name) => {
  const words = `beckon: "extra" is a word too many: beckon ${name} takes options only. Run "beckon ${name} --help".`;
  expect(await refused(name, "extra")).toEqual([2, words]);
});

test("law: credits, listen, logout and mcp take no word", () => {
  expect(alone.toSorted()).toEqual(["credits", "listen", "logout", "mcp"]);
});

test("law: every word that people try stands for a command, and is none", () => {
  const names = commands.map(({ name }) => name);
  for (const [word, meant] of SYNONYMS) {
    expect(names, word).toContain(meant);
    expect(names).not.toContain(word);
  }
});
