import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { packageRoot } from "../db/root.ts";
import { openApiDocument } from "../rest/openapi.ts";
import { inputSchema, outputSchema } from "../src/contract/json-schema.ts";
import { type AnyOperation, errorsOf } from "../src/contract/operation.ts";
import { toolList } from "../src/mcp/tools.ts";
import { operations } from "../tools/index.ts";

const FOLDER = "test/snapshots";

/** What is published, as it is committed: one file per operation and the OpenAPI document, by path. */
export function snapshots(): Map<string, string> {
  const files = operations.map((one) => [`${FOLDER}/operations/${one.name}.json`, published(one)] as const);
  const document = [`${FOLDER}/openapi.json`, openApiDocument({ siteUrl: "https://beckon.example" })] as const;
  return new Map([...files, document].map(([path, content]) => [path, `${JSON.stringify(content, null, 2)}\n`]));
}

/** What is committed, by path. */
export function committedSnapshots(): Map<string, string> {
  const folder = join(packageRoot, FOLDER);
  mkdirSync(folder, { recursive: true });
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  return new Map(paths.map((path) => [relative(packageRoot, path), readFileSync(path, "utf8")]));
}

/** Brings the committed files up to date, unless `checking`. @returns those that were not */
export function updateSnapshots(checking: boolean): string[] {
  const [wanted, there] = [snapshots(), committedSnapshots()];
  const stale = [...new Set([...wanted.keys(), ...there.keys()])].filter(
    (path) => wanted.get(path) !== there.get(path),
  );
  if (checking) return stale;
  for (const path of stale) {
    const file = join(packageRoot, path);
    const text = wanted.get(path);
    mkdirSync(dirname(file), { recursive: true });
    if (text === undefined) rmSync(file);
    else writeFileSync(file, text);
  }
  return stale;
}

function published(operation: AnyOperation): object {
  const { name, title, description, access, effect, rest, agentDefaults, representations } = operation;
  const tool = toolList().find((one) => one.name === name);
  return {
    name,
    title,
    description,
    access,
    effect,
    rest: { status: 200, ...rest },
    ...(representations ? { representations: representations.map(({ mediaType }) => mediaType) } : {}),
    errors: [...new Set(errorsOf(operation))].sort(),
    ...(agentDefaults ? { agent_defaults: agentDefaults } : {}),
    mcp_annotations: tool?.annotations ?? null,
    input: inputSchema(operation, "program"),
    output: outputSchema(operation),
  };
}
