import { execFile } from "node:child_process";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClient } from "@hey-api/openapi-ts";
import spectral from "@stoplight/spectral-core";
import rulesets from "@stoplight/spectral-rulesets";
import { build } from "esbuild";
import openapiTypes, { astToString, type OpenAPI3 } from "openapi-typescript";
import { afterAll, expect, test, vi } from "vitest";
import { openApiDocument } from "../../rest/openapi.ts";
import { EVERYTHING } from "../../scripts/snapshots.ts";
import { packageRoot } from "../../src/platform/package-root.ts";
import { testService } from "../support/service/service.ts";

// A compiler runs, on whatever else the machine does.
vi.setConfig({ testTimeout: 120_000 });
const service = await testService({ publishUrl: true });
const { key } = await service.account();
const folder = await mkdtemp(join(tmpdir(), "beckon-openapi-"));
await symlink(join(import.meta.dirname, "node_modules"), join(folder, "node_modules"));
await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
const document = await (await fetch(`${service.url}/openapi.json`)).json();
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

test("Spectral finds one thing in the document of all operations: a price that is only ever answered with 402", async () => {
  const linter = new spectral.Spectral();
  // Its types know a ruleset only with `extends`, which this one has not.
  linter.setRuleset({ extends: [[rulesets.oas as spectral.RulesetDefinition, "recommended"]] });
  const found = await linter.run(JSON.parse(JSON.stringify(openApiDocument(EVERYTHING))));
  expect(found.map(({ code, path }) => `${code}: ${path.join(" ")}`)).toEqual([
    "operation-success-response: paths /api/v1/credits/x402 get responses",
  ]);
});

/** Compiles a program as a module of the folder, and runs it. @returns what it exports */
async function compiled(name: string, source: string): Promise<{ readonly credits: number }> {
  await writeFile(join(folder, `${name}.ts`), source);
  const options = { strict: true, noEmit: true, module: "nodenext", target: "es2023", types: [] };
  const compilerOptions = { ...options, lib: ["es2023", "dom", "dom.iterable"], skipLibCheck: true };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [`${name}.ts`] }));
  const tsc = join(packageRoot, "node_modules/.bin/tsc");
  const said = await promisify(execFile)(tsc, ["-p", folder]).catch((failed: { stdout: string }) => failed);
  expect(said.stdout).toBe("");
  const outfile = join(folder, `${name}.mjs`);
  await build({ entryPoints: [join(folder, `${name}.ts`)], outfile, bundle: true, format: "esm", platform: "node" });
  return import(outfile);
}

test("the types of openapi-typescript compile, and a client of them calls get_account", async () => {
  await writeFile(join(folder, "schema.ts"), astToString(await openapiTypes(document as OpenAPI3)));
  const { credits } = await compiled(
    "typed",
    `import createClient from "openapi-fetch";
    import type { paths } from "./schema.js";
    const client = createClient<paths>({ baseUrl: ${JSON.stringify(service.url)} });
    const { data, error } = await client.GET("/api/v1/account", { headers: { Authorization: "Bearer ${key}" } });
    if (error) throw new Error(error.error.message);
    export const credits: number = data.credits;`,
  );
  expect(credits).toBe(150);
});

test("the client that @hey-api/openapi-ts makes compiles, and calls get_account", async () => {
  await createClient({
    input: document,
    output: { path: join(folder, "generated") },
    plugins: ["@hey-api/client-fetch", "@hey-api/sdk", "@hey-api/typescript"],
    logs: { level: "silent" },
  });
  const { credits } = await compiled(
    "generated-client",
    `import { getAccount } from "./generated/index.js";
    const { data } = await getAccount({ auth: ${JSON.stringify(key)}, throwOnError: true });
    export const credits: number = data.credits;`,
  );
  expect(credits).toBe(150);
});
