import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { openApiDocument } from "../rest/openapi.ts";
import { inputSchema, outputSchema } from "../src/contract/json-schema.ts";
import { type Access, type AnyOperation, errorsOf, offersOf } from "../src/contract/operation.ts";
import { readConfig } from "../src/platform/config/config.ts";
import { packageRoot } from "../src/platform/package-root.ts";
import { toolList } from "../src/surfaces/mcp/tools.ts";
import { operations } from "../tools/index.ts";
import { serverJson } from "./server-json.ts";

const FOLDER = "test/snapshots";

/** A deployment that offers everything and is paid in every way. */
export const EVERYTHING = readConfig({
  SITE_URL: "https://beckon.example",
  X402_NETWORK: "eip155:84532",
  X402_ASSET: "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
  X402_PAY_TO: "0x00000000000000000000000000000000000000b0",
  X402_RPC_URL: "https://rpc.example",
  X402_FACILITATOR_URL: "https://facilitator.example",
});

/** For registries; it stands at the root, where they look for it. */
const SERVER_JSON = "server.json";

/** What is published, as it is committed: one file per operation, the OpenAPI document and server.json, by path. */
export function snapshots(): Map<string, string> {
  const files = operations.map((one) => [`${FOLDER}/operations/${one.name}.json`, published(one)] as const);
  const document = [`${FOLDER}/openapi.json`, openApiDocument(EVERYTHING)] as const;
  return new Map(
    [...files, document, [SERVER_JSON, serverJson()] as const].map(([path, content]) => [
      path,
      `${JSON.stringify(content, null, 2)}\n`,
    ]),
  );
}

/** What is committed, by path. */
export function committedSnapshots(): Map<string, string> {
  const folder = join(packageRoot, FOLDER);
  mkdirSync(folder, { recursive: true });
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  if (existsSync(join(packageRoot, SERVER_JSON))) paths.push(join(packageRoot, SERVER_JSON));
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
  const { name, title, description, access, effect, rest, surfaces, agentDefaults, representations } = operation;
  const tool = toolList(() => true).find((one) => one.name === name);
  const offers = offersOf(operation, EVERYTHING);
  return {
    name,
    title,
    description,
    access: named(access),
    effect,
    rest: { status: 200, ...rest },
    ...(surfaces ? { surfaces } : {}),
    ...(operation.takesPayment ? { takes_payment: true } : {}),
    ...(operation.urlForUser ? { person_opens: operation.urlForUser } : {}),
    ...(offers.length > 0 ? { offers } : {}),
    ...(representations ? { representations: representations.map(({ mediaType }) => mediaType) } : {}),
    errors: [...new Set(errorsOf(operation))].sort(),
    ...(agentDefaults ? { agent_defaults: agentDefaults } : {}),
    mcp_annotations: tool?.annotations ?? null,
    input: inputSchema(operation, "program"),
    output: outputSchema(operation),
  };
}

/** Another operation that stands in is said by its name. */
function named(access: Access): object {
  return access.kind === "scope" && access.anonymous ? { ...access, anonymous: access.anonymous.name } : access;
}
