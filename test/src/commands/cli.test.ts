import { join } from "node:path";
import { expect, test } from "vitest";
import { commands } from "../../../src/commands/index.ts";
import { ownCommand } from "../../../src/platform/own-command.ts";
import { beckon, scratchFolder } from "../../support/service/cli.ts";

test("exit 2 without a command: prints the list of commands", async () => {
  const { code, out } = await beckon({});
  expect(code).toBe(2);
  for (const { name, about } of commands) expect(out).toContain(`${name.padEnd(14)}  ${about}`);
});

test.each(["--help", "-h", "help"])("exit 0 %s: prints the list of commands", async (word) => {
  const { code, out } = await beckon({}, word);
  expect(code).toBe(0);
  expect(out).toContain(`Usage: ${ownCommand("<command>")}`);
});

test.each(commands.map(({ name }) => name))(
  "exit 0 %s --help: prints its options, and does nothing else",
  async (name) => {
    const { code, out, err } = await beckon({ PORT: "not a port" }, ...name.split(" "), "--help");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toContain(`Usage: ${ownCommand(name)}`);
    const command = commands.find((one) => one.name === name)!;
    for (const option of Object.keys(command.options)) expect(out).toContain(`--${option}`);
  },
);

test.each([
  ["an unknown command", ["frobnicate"], /no command "frobnicate"/],
  ["an unknown option", ["audit", "--emial", "x"], /Unknown option '--emial'/],
  ["a word too many", ["audit", "all"], /Unexpected argument 'all'/],
  ["a required option missing", ["account", "create"], /--email is missing/],
  ["an option without its value", ["account", "create", "--email"], /--email/],
  ["no e-mail address", ["account", "create", "--email", "nobody"], /not an e-mail address/],
  ["credits that are no number", ["account", "create", "--email", "a@b.co", "--credits", "many"], /not a whole number/],
  ["credits below zero", ["account", "create", "--email", "a@b.co", "--credits=-1"], /not a whole number/],
  ["a grant of nothing", ["credits", "grant", "--email", "a@b.co", "--credits", "0"], /changes nothing/],
  ["a name with a control character", ["key", "create", "--email", "a@b.co", "--name", "a\u0000"], /--name/],
  [
    "an unknown scope",
    ["key", "create", "--email", "a@b.co", "--name", "x", "--scopes", "read,root"],
    /"root" is not one of/,
  ],
  [
    "both ways to name an account",
    ["credits", "grant", "--email", "a@b.co", "--account", "x", "--credits", "1"],
    /either/,
  ],
  ["mcp without a credential", ["mcp"], /BECKON_API_KEY/],
  ["listen without a credential", ["listen"], /BECKON_API_KEY/],
])("exit 2 %s: prints one line on standard error, with --json one document", async (_, args, message) => {
  const env = { DATABASE_URL: `file:${join(scratchFolder(), "test.db")}` };
  const { code, out, err } = await beckon(env, ...args);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toMatch(message);
  expect(err.trim().split("\n")).toHaveLength(1);
  const { json } = await beckon(env, ...args, "--json");
  expect(json).toEqual({ ok: false, error: { message: expect.stringMatching(message) } });
});

test("exit 1: settings are invalid; all of them are named", async () => {
  const { code, err } = await beckon({ PORT: "99999", LOG_LEVEL: "loud" }, "audit");
  expect(code).toBe(1);
  expect(err).toMatch(/PORT: .*\n.*LOG_LEVEL: /);
});
