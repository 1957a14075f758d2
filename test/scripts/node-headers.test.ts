import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { environmentWithHeaders, headersAdvice, headersPrefix } from "../../scripts/node-headers.mjs";
import { scratchFolder } from "../support/service/cli.ts";

/** A folder as Node's archives are: bin/node, and the headers of a binary interface. */
function nodeFolder(abi = process.versions.modules) {
  const prefix = realpathSync(scratchFolder());
  for (const path of ["bin", "include/node"]) mkdirSync(join(prefix, path), { recursive: true });
  writeFileSync(join(prefix, "bin/node"), "");
  writeFileSync(join(prefix, "include/node/node_version.h"), `#define NODE_MODULE_VERSION ${abi}\n`);
  return prefix;
}

test("headers beside Node are used, and the rest of the environment stays unchanged", () => {
  const prefix = nodeFolder();
  const env = { PATH: "/usr/bin", HOME: "/nowhere" };
  expect(environmentWithHeaders(env, prefix)).toEqual({ ...env, npm_config_nodedir: prefix });
  expect(headersAdvice(env, prefix)).toBeNull();
});

test("headers are looked for beside the program itself, not beside a link to it", () => {
  const prefix = nodeFolder();
  const link = join(scratchFolder(), "node");
  symlinkSync(join(prefix, "bin/node"), link);
  expect(headersPrefix(link)).toBe(prefix);
  expect(headersPrefix(join(prefix, "bin/node"))).toBe(prefix);
});

describe("the environment stays unchanged", () => {
  test.each([
    ["there are no headers", () => scratchFolder()],
    ["they are of another Node", () => nodeFolder("1")],
  ])("if %s; the advice says what to do", (_, folder) => {
    const [env, prefix] = [{ PATH: "/usr/bin" }, folder()];
    expect(environmentWithHeaders(env, prefix)).toEqual(env);
    expect(headersAdvice(env, prefix)).toContain(`are not in ${join(prefix, "include/node")}`);
    expect(headersAdvice(env, prefix)).toContain("npm_config_nodedir");
  });

  test.each(["npm_config_nodedir", "NPM_CONFIG_NODEDIR", "npm_package_config_node_gyp_nodedir"])(
    "if %s is set",
    (name) => {
      const env = { [name]: "/opt/node" };
      expect(environmentWithHeaders(env, nodeFolder())).toEqual(env);
      expect(headersAdvice(env, scratchFolder())).toBeNull();
    },
  );
});
