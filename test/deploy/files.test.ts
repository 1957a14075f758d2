import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readConfig } from "../../src/platform/config/config.ts";
import { SETTINGS } from "../../src/platform/config/settings.ts";
import { packageRoot } from "../../src/platform/package-root.ts";
import { STOP_SECONDS } from "../../src/surfaces/docs/key-figures.ts";
import { pageOf } from "../../src/surfaces/docs/page.ts";

const read = (path: string) => readFileSync(join(packageRoot, path), "utf8");
const [single, compose, unit, image, proxy] = [
  "compose.yaml",
  "compose.postgres.yaml",
  "beckon.service",
  "Containerfile",
  "nginx.conf",
].map((name) => read(`deploy/${name}`)) as [string, string, string, string, string];

/** The lines below one that ends there, as far as they are deeper, without comments. */
function below(text: string, head: RegExp): string[] {
  const lines = text.split("\n").filter((line) => !/^\s*(?:#|$)/.test(line));
  const at = lines.findIndex((line) => head.test(line));
  expect(at, String(head)).toBeGreaterThanOrEqual(0);
  const depth = (line: string) => line.search(/\S/);
  const rest = lines.slice(at + 1);
  const end = rest.findIndex((line) => depth(line) <= depth(lines[at]!));
  return rest.slice(0, end === -1 ? undefined : end).map((line) => line.trim());
}

test("law: every deployment gives a node DRAIN_SECONDS and the documented extra seconds to stop", () => {
  for (const text of [single, compose, unit, image]) expect(text).not.toMatch(/DRAIN_SECONDS\s*[:=]/);
  expect(SETTINGS.DRAIN_SECONDS.schema.parse(undefined)).toBe(0);
  for (const [text, head] of [
    [single, /^ {2}beckon:/],
    [compose, /^x-node:/],
  ] as const)
    expect(below(text, head)).toContain(`stop_grace_period: ${STOP_SECONDS}s`);
  expect(unit).toMatch(new RegExp(`^TimeoutStopSec=${STOP_SECONDS}$`, "m"));
  const { markdown } = pageOf("/docs/operating", readConfig({}));
  const documented = [...markdown.matchAll(/\b(\d+) seconds|--time (\d+)/g)].map(([, seconds, time]) =>
    Number(seconds ?? time),
  );
  expect(documented).toEqual([STOP_SECONDS, STOP_SECONDS, STOP_SECONDS]);
});

test("law: compose.postgres.yaml sets only what the containers need to run; every other setting comes from beckon.env", () => {
  const fixed = below(compose, /environment: &settings$/).map((line) => line.split(":")[0]!);
  expect(fixed).toEqual(["DATABASE_URL", "SITE_URL", "HOST", "PORT", "TRUST_PROXY"]);
  for (const name of fixed) expect(Object.keys(SETTINGS)).toContain(name);
  expect(below(compose, /env_file:$/)).toEqual(["- path: beckon.env", "required: false"]);
});

test("law: compose.yaml is one service with one volume and one port of this machine, and every setting in beckon.env", () => {
  expect(below(single, /^services:/).filter((line) => line === "beckon:")).toHaveLength(1);
  const service = below(single, /^ {2}beckon:/);
  expect(below(single, /^services:/)).toHaveLength(service.length + 1);
  expect(service.filter((line) => line.startsWith("environment"))).toEqual([]);
  expect(service).toContain('ports: ["127.0.0.1:3000:3000"]');
  expect(service).toContain('volumes: ["data:/data"]');
  expect(below(single, /env_file:$/)).toEqual(["- path: beckon.env", "required: false"]);
});

test("law: no secret has a default", () => {
  const variables = [...compose.matchAll(/\$\{(\w+)([^}]*)\}/g)].map(([, name, rest]) => [name, rest!.slice(0, 2)]);
  expect(variables.length).toBeGreaterThan(2);
  expect(variables.filter(([, sign]) => sign !== ":?")).toEqual([]);
  for (const text of [single, compose, unit, image])
    expect(text).not.toMatch(/(?<!\{)\b\w*(?:_KEY|_TOKEN|_SECRET|PASSWORD)[:=] *[^\s$]/);
});

test("law: nginx starts once all nodes are ready", () => {
  const nodes = [...proxy.matchAll(/^\s*server (\S+):3000 /gm)].map(([, name]) => name!);
  expect(nodes).toEqual(["beckon-1", "beckon-2"]);
  expect(below(compose, /^ {2}nginx:/).join(" ")).toContain(
    `depends_on: ${nodes.map((name) => `${name}: condition: service_healthy`).join(" ")}`,
  );
  for (const name of nodes) expect(below(compose, new RegExp(`^ {2}${name}:`))).toContain(`NODE_NAME: ${name}`);
  expect(below(compose, /^x-node:/).join("\n")).toMatch(/^healthcheck:\ntest:[\s\S]*?127\.0\.0\.1:3000\/readyz/m);
});

test("every setting in a deployment file exists", () => {
  const given = [
    ...[...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line]) => line!.split(" ")),
    ...[...image.matchAll(/^ENV (.*)$/gm)].flatMap(([, line]) => line!.split(" ")),
  ].map((pair) => pair.split("=")[0]!);
  expect(given.length).toBeGreaterThan(4);
  expect(given.filter((name) => name !== "NODE_ENV" && !(name in SETTINGS))).toEqual([]);
});

/** Of systemd, where this machine has it. */
const hasVerifier = spawnSync("systemd-analyze", ["--version"]).status === 0;

test.skipIf(!hasVerifier)("systemd accepts the unit", () => {
  const { stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", join(packageRoot, "deploy/beckon.service")], {
    encoding: "utf8",
  });
  // It is installed on no machine that tests it.
  expect(stderr.split("\n").filter((line) => line !== "" && !/beckon-server is not executable/.test(line))).toEqual([]);
});
