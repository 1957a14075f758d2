import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../src/platform/package-root.ts";
import { missingTests, type NamedTests, testsNamedIn } from "./support/checks/named-tests.ts";

/** A row of docs/conformance.md: a demand of a specification, and the tests that hold it. */
interface Row {
  readonly line: string;
  readonly held: readonly NamedTests[];
}

const text = readFileSync(join(packageRoot, "docs/conformance.md"), "utf8");

function rowsIn(document: string): Row[] {
  const [applies = ""] = document.split(/^## What does not apply/m);
  const lines = applies.split("\n").filter((line) => /^\| (?!clause|-)/.test(line));
  return lines.map((line) => ({ line, held: testsNamedIn(line) }));
}

/** What is wrong with a row. */
function problemsOf({ line, held }: Row): string[] {
  return held.length === 0 ? [`no test: ${line}`] : missingTests(held);
}

test("law: every requirement is held by a test that exists", () => {
  const rows = rowsIn(text);
  expect(rows.length).toBeGreaterThan(100);
  expect(rows.flatMap(problemsOf)).toEqual([]);
});

test.each([
  ["| 1.1 | Something | |", "no test"],
  ["| 1.1 | Something | `test/gone.test.ts`: “a name” |", "test/gone.test.ts is gone"],
  [
    "| 1.1 | Something | `test/oauth.test.ts`: “access_denied: a user who declines”, “a test that no file has” |",
    "has no test “a test that no file has”",
  ],
])("a planted gap is found: %s", (line, problem) => {
  expect(rowsIn(`\n${line}\n`).flatMap(problemsOf).join()).toContain(problem);
});

test("every specification has a section, and so have the requirements that do not apply", () => {
  const numbers = ["6749", "7636", "7591", "7009", "8414", "8707", "9207", "9728", "8252", "6750", "9700"];
  for (const heading of [...numbers.map((number) => `RFC ${number}`), "auth.md", "A2A 1.0", "What does not apply"])
    expect(text).toMatch(new RegExp(`^## ${heading}`, "m"));
});

/** How many requirements of each kind the compatibility kit of A2A 1.0 has. */
const KIT = {
  CARD: { DISC: 1, PROTO: 2, STRUCT: 1, EXT: 2, SIGN: 4, CACHE: 3 },
  AUTH: { TLS: 2, SERVER: 2, INTASK: 6, SCOPE: 3 },
  GRPC: { SVC: 3, META: 1, ERR: 3 },
  HTTP_JSON: { URL: 2, SVC: 2, QP: 1, ERR: 2, STATUS: 1, SSE: 1 },
  JSONRPC: { FMT: 2, SVC: 2, ERR: 3, SSE: 2 },
  CORE: { SEND: 3, STREAM: 3, GET: 2, LIST: 5, CANCEL: 3, "EXECUTION-MODE": 2, ERR: 2, CAP: 4, MULTI: 6, HIST: 6 },
  DM: { TASK: 2, MSG: 2, PART: 1, ART: 1, STATUS: 1, SERIAL: 5 },
  BIND: { EQUIV: 4, FIELD: 1 },
  PUSH: { CREATE: 2, GET: 2, LIST: 1, DEL: 2, DELIVER: 3 },
  STREAM: { ORDER: 4, SUB: 4 },
  VER: { CLIENT: 2, SERVER: 3 },
};

test("A2A: each of the kit's 129 requirements is held by a test, or the document says why not", () => {
  const counted = Object.entries(KIT).flatMap(([kind, parts]) =>
    Object.entries(parts).flatMap(([part, count]) =>
      Array.from({ length: count }, (_, at) => `${kind}-${part}-${String(at + 1).padStart(3, "0")}`),
    ),
  );
  const ids = [...counted, "CORE-MULTI-001a", "CORE-MULTI-002a"];
  expect(ids).toHaveLength(129);
  const clauses = new Set([...text.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell]) => cell!.split(/, |: /)));
  expect(ids.filter((id) => !clauses.has(id))).toEqual([]);
});
