import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../src/platform/package-root.ts";
import { INCLUDED, RULES } from "../support/checks/build-context.ts";

const linesOf = (path: string) => readFileSync(join(packageRoot, path), "utf8").split("\n");
const image = linesOf("deploy/Containerfile");
const manifest = JSON.parse(linesOf("package.json").join("\n")) as { files: string[]; bin: { beckon: string } };
/** What the package holds, which test/package.test.ts builds out of what is given here, and starts. */
const shipped = ["package.json", ...manifest.files.filter((path) => !path.startsWith("!"))];

test("the build context holds sources only: no settings, keys, data or backups", () => {
  expect(RULES[0]).toBe("*");
  // After what is let in, so that it holds there too.
  expect(RULES.at(-1)).toBe("**/.env*");
  const sources = ["a2a", "db", "packages", "rest", "src", "tools", "tsconfig.json", "tsconfig.build.json"];
  const documents = shipped.filter((path) => path !== "dist").map((path) => path.split("/")[0]!);
  expect(new Set(INCLUDED)).toEqual(new Set([...sources, ...documents, "package-lock.json", "scripts"]));
});

test("secrets of a deployment are ignored by git too", () => {
  const ignored = linesOf(".gitignore");
  for (const path of [".env*", "deploy/beckon.env", "deploy/tls/", "data/"]) expect(ignored).toContain(path);
});

test("the image holds the package and the runtime it needs, and starts the service", () => {
  expect(image).toContain("RUN npm run build && npm prune --omit=dev");
  const copied = image
    .filter((line) => line.startsWith("COPY --from=build "))
    .flatMap((line) => line.split(" ").slice(2, -1))
    .map((path) => path.replace(/^\/build\//, ""));
  expect(copied.toSorted()).toEqual([...shipped, "node_modules"].toSorted());
  expect(image).toContain(`ENTRYPOINT ["node", "${manifest.bin.beckon.replace(/^\.\//, "")}"]`);
});
