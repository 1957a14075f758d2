import { expect, test } from "vitest";
import { commands } from "../../../src/commands/index.ts";
import { CLONE, commandAt, ownCommand, type Place, placeOf, startAt } from "../../../src/platform/own-command.ts";
import { type Source, sourcesIn, withoutComments } from "../../support/checks/imports.ts";

const nowhere = () => false;
const only = (path: string) => (asked: string) => asked === path;

test.each<[string, Place, string, string]>([
  ["a clone", placeOf("beckon", nowhere, "host"), "npm run -s beckon -- audit", "npm start"],
  [
    "a clone in a container",
    placeOf("beckon", only("/.dockerenv"), "3f2a1b4c5d6e"),
    "npm run -s beckon -- audit",
    "npm start",
  ],
  ["an installed package", placeOf("beckon-server", nowhere, "host"), "beckon-server audit", "beckon-server serve"],
  [
    "a container of Docker",
    placeOf("beckon-server", only("/.dockerenv"), "3f2a1b4c5d6e"),
    "docker exec -it 3f2a1b4c5d6e beckon-server audit",
    "docker restart 3f2a1b4c5d6e",
  ],
  [
    "a container of Podman",
    placeOf("beckon-server", only("/run/.containerenv"), "3f2a1b4c5d6e"),
    "podman exec -it 3f2a1b4c5d6e beckon-server audit",
    "podman restart 3f2a1b4c5d6e",
  ],
  [
    "a container whose machine has another name than the container",
    placeOf("beckon-server", only("/.dockerenv"), "web"),
    "docker exec -it CONTAINER beckon-server audit",
    "docker restart CONTAINER",
  ],
])("in %s a command is called as it is there", (_, place, audit, start) => {
  expect([commandAt(place, "audit"), startAt(place)]).toEqual([audit, start]);
});

test("the tests run in a clone", () => {
  expect(ownCommand("audit")).toBe(commandAt(CLONE, "audit"));
});

/** `mcp` and `listen` are commands of the client too, which has the name `beckon` for itself. */
const NAMES = commands.map(({ name }) => name).filter((name) => name !== "mcp" && name !== "listen");
const CALL = new RegExp(
  [
    `\\bbeckon (?:--|<|(?:${NAMES.join("|")})\\b)`,
    "npm run -s beckon",
    "npm start",
    "beckon-server",
    "src/main\\.js",
  ].join("|"),
);

/** The lines of a source, outside of comments, that say how to call a command. */
function calls({ path, text }: Source): string[] {
  if (path === "src/platform/own-command.ts") return [];
  const lines = withoutComments(text).split("\n");
  return lines.filter((line) => CALL.test(line)).map((line) => `${path}: ${line.trim()}`);
}

test("law: only src/platform/own-command.ts says how a command of the operator is called", () => {
  const sources = sourcesIn("src", "db", "tools", "rest", "a2a");
  expect(sources.length).toBeGreaterThan(500);
  expect(sources.flatMap(calls)).toEqual([]);
});

test.each([
  'remedy: "Run `beckon audit` for all of them."',
  "text: `Run npm run -s beckon -- doctor.`",
  "<code>npm start</code>",
  'const usage = "Usage: beckon <command>";',
  "throw new Error(`Run beckon-server now`);",
  "`node dist/src/main.js serve`",
])("the law finds %s", (line) => {
  expect(calls({ path: "src/planted.ts", text: line })).toHaveLength(1);
});

test("the law allows comments, and commands of the client", () => {
  const text = "// `beckon audit` proves it.\n/** As npm start does. */\nconst hint = `beckon submit, beckon mcp`;";
  expect(calls({ path: "src/allowed.ts", text })).toEqual([]);
});
