import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commands } from "../../../src/commands/index.ts";
import { ownCommand } from "../../../src/platform/own-command.ts";
import { version } from "../../../src/platform/version.ts";
import { PROGRAM } from "../../support/service/beckon-command.ts";
import { accountIn, beckon, scratchFolder } from "../../support/service/cli.ts";

test("exit 2 without a command: prints the list of commands", async () => {
  const { code, out } = await beckon({});
  expect(code).toBe(2);
  const width = Math.max(...commands.map(({ name }) => name.length));
  for (const { name, about } of commands) expect(out).toContain(`${name.padEnd(width)}  ${about}`);
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
    for (const line of command.examples) expect(out).toContain(`\n  ${ownCommand(line)}`);
  },
);

test.each([
  "help account list",
  "help --json account list",
  "--help account list",
  "account --help list",
  "account -h list",
])("exit 0 %s: prints the help of the command", async (line) => {
  const { code, out } = await beckon({}, ...line.split(" "));
  expect([code, out]).toEqual([0, expect.stringContaining("account list")]);
  if (!line.includes("--json")) expect(out).toContain(`Usage: ${ownCommand("account list")}`);
});

test.each(["--json account list", "account --json list", "account list --json"])(
  "exit 0 %s: an option of every command may stand anywhere",
  async (line) => {
    const env = { DATABASE_URL: `file:${join(scratchFolder(), "test.db")}` };
    await beckon(env, "migrate");
    const { code, json } = await beckon(env, ...line.split(" "));
    expect([code, json]).toEqual([0, { accounts: [], has_more: false }]);
  },
);

test.each([
  ["an unknown command", ["frobnicate"], /no command "frobnicate"/],
  ["a command with a slip", ["acount", "list"], /no command "acount list"\. Did you mean "account list"\?/],
  ["half of a command", ["key"], /no command "key"\. There are: key create, key list, key revoke\./],
  [
    "the first word in the plural",
    ["accounts"],
    /no command "accounts"\. There are: account create, .+, account enable\./,
  ],
  ["help for an unknown command", ["help", "frobnicate"], /no command "frobnicate"/],
  [
    "an option before the command",
    ["--email=a@b.co", "account", "show"],
    /--email is an option: put options after the/,
  ],
  [
    "an option between the words",
    ["account", "--email", "a@b.co", "show"],
    /no command "account"\. There are: .+ Put options after both words\./,
  ],
  [
    "a value that begins with -",
    ["credits", "grant", "--email", "a@b.co", "--credits", "-5"],
    /^(?:beckon: )?--credits: a value that begins with - is written --credits=-5\. Run "/,
  ],
  [
    "another option in place of a value",
    ["key", "create", "--name", "--scopes=read"],
    /--name: the value is missing\./,
  ],
  ["an option with a slip", ["audit", "--jsn"], /Unknown option '--jsn'\. Did you mean --json\?/],
  ["a limit that is no number", ["account", "list", "--limit", "0"], /--limit: "0" is not a whole number from 1/],
  ["an unknown option", ["audit", "--emial", "x"], /Unknown option '--emial'/],
  ["a word too many", ["audit", "all"], /Unexpected argument 'all'/],
  ["a required option missing", ["account", "create"], /--email is missing/],
  ["an option without its value", ["account", "create", "--email"], /--email/],
  ["no e-mail address", ["account", "create", "--email", "nobody"], /not an e-mail address/],
  ["credits that are no number", ["account", "create", "--email", "a@b.co", "--credits", "many"], /not a whole number/],
  ["credits below zero", ["account", "create", "--email", "a@b.co", "--credits=-1"], /not a whole number/],
  [
    "a value that begins with a dash",
    ["credits", "grant", "--email", "a@b.co", "--credits", "-5"],
    /--credits: a value that begins with - is written --credits=-5\. Run/,
  ],
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

test("every example is a line of its command, with options that it has", () => {
  for (const { name, options, examples } of commands) {
    expect(examples.length, name).toBeGreaterThan(0);
    for (const line of examples) {
      expect(line.startsWith(name), line).toBe(true);
      for (const [, option] of line.matchAll(/ --([a-z-]+)/g)) {
        expect([...Object.keys(options), "json"], line).toContain(option);
      }
    }
  }
});

test("exit 0 --version: prints the version alone", async () => {
  expect(await beckon({}, "--version")).toMatchObject({ code: 0, out: `${version}\n`, err: "" });
});

test("a setting with a slip in its name is named on standard error, and variables of other programs are not", async () => {
  const env = { DATABASE_URL: `file:${join(scratchFolder(), "test.db")}` };
  await beckon(env, "migrate");
  const others = { HOSTNAME: "h", OTEL_TRACES_EXPORTER: "x", npm_config_registry: "y", STRIPE_API_KEY: "z" };
  const slips = { STRIPE_SECRET_KY: "sk_live_0", SITE_ULR: "https://x.example", LOGLEVEL: "info" };
  const { code, err } = await beckon({ ...env, ...others, ...slips }, "account", "list");
  expect([code, err.trim().split("\n")]).toEqual([
    0,
    [
      "beckon: There is no setting STRIPE_SECRET_KY. If STRIPE_SECRET_KEY is meant, correct its name: it is not set.",
      "beckon: There is no setting SITE_ULR. If SITE_URL is meant, correct its name: it is not set.",
      "beckon: There is no setting LOGLEVEL. If LOG_LEVEL is meant, correct its name: it is not set.",
    ],
  ]);
});

test.each(["account list", "audit", "--help"])(
  "exit 1 %s: the output cannot be written; says so in a sentence",
  (line) => {
    const env = { PATH: process.env.PATH, DATABASE_URL: `file:${join(scratchFolder(), "test.db")}` };
    const run = (args: readonly string[], end: string) =>
      spawnSync("sh", ["-c", `"$@" ${end}`, "sh", process.execPath, ...PROGRAM, ...args], { env, encoding: "utf8" });
    run(["migrate"], "");
    const { status, stderr } = run(line.split(" "), "> /dev/full");
    expect([status, stderr]).toEqual([
      1,
      "beckon: The output is not complete, since it could not be written: the disk is full.\n",
    ]);
    // Whoever reads the output has gone: no problem of the command's.
    expect(run(line.split(" "), "| true").stderr).toBe("");
  },
);

test.each([
  "account create --email bob@example.com",
  "account create --email bob@example.com --json",
  "key create --email ann@example.com --name ci",
])("exit 1 %s: the key cannot be written; says that it is lost, and what makes another", async (line) => {
  const env = { PATH: process.env.PATH, DATABASE_URL: `file:${join(scratchFolder(), "test.db")}` };
  await accountIn(env, "--email", "ann@example.com");
  const run = (end: string) =>
    spawnSync("sh", ["-c", `"$@" ${end}`, "sh", process.execPath, ...PROGRAM, ...line.split(" ")], {
      env,
      encoding: "utf8",
    });
  const { status, stderr } = run("> /dev/full");
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /^beckon: The output is not complete, since it could not be written: the disk is full\. The API key was made, and is lost\.\n/,
  );
  const [, list] = /^ {2}Its id is in: npm run -s beckon -- (.+)$/m.exec(stderr)!;
  const { keys } = (await beckon(env, ...list!.split(" "), "--json")).json;
  const revoke = /^ {2}This ends the lost one: npm run -s beckon -- (.+)$/m.exec(stderr)![1]!.replace("ID", keys[0].id);
  expect((await beckon(env, ...revoke.split(" "))).code).toBe(0);
  const create = /^ {2}This makes another: npm run -s beckon -- (.+)$/m.exec(stderr)![1]!;
  expect((await beckon(env, ...create.split(" "))).code).toBe(0);
});

test("exit 1 key create: nobody reads the output; says that the key is lost", async () => {
  const env = { PATH: process.env.PATH, DATABASE_URL: `file:${join(scratchFolder(), "test.db")}` };
  await accountIn(env, "--email", "ann@example.com");
  const line = [...PROGRAM, "key", "create", "--email", "ann@example.com", "--name", "ci"];
  const script = `{ "$@"; echo "exit $?" >&2; } | true`;
  const { stderr } = spawnSync("sh", ["-c", script, "sh", process.execPath, ...line], { env, encoding: "utf8" });
  expect(stderr).toMatch(
    /^beckon: Nobody reads the output\. The API key was made, and is lost\.\n(?: {2}.+\n){3}exit 1\n$/,
  );
});

test("exit 1: settings are invalid; all of them are named", async () => {
  const { code, err } = await beckon({ PORT: "99999", LOG_LEVEL: "loud" }, "audit");
  expect(code).toBe(1);
  expect(err).toMatch(/PORT: .*\n.*LOG_LEVEL: /);
});
