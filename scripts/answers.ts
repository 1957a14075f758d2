import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AnyOperation } from "../src/contract/operation.ts";
import { packageRoot } from "../src/platform/package-root.ts";
import { requestOf } from "../src/surfaces/docs/example-calls.ts";
import { startExampleService } from "../test/support/service/example-service.ts";
import { operations } from "../tools/index.ts";

/** The responses that documents show: those of every example, called on a service in this process. */
const FILE = "src/contract/example-responses.ts";

/** Updates the file, unless `checking`. @returns its path if it was out of date */
export async function updateAnswers(checking: boolean): Promise<string[]> {
  const path = join(packageRoot, FILE);
  const wanted = asSource(await answers());
  if (wanted === readFileSync(path, "utf8")) return [];
  if (!checking) writeFileSync(path, wanted);
  return [FILE];
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

async function answers(): Promise<Record<string, Answer>> {
  const all: Record<string, Answer> = {};
  for (const operation of operations) {
    // A service for each example, so that no answer shows the effect of another.
    const { service, key, real, madeUp } = await startExampleService(operation.effect);
    const { path, body } = requestOf(operation);
    const response = await fetch(`${service.url}/api/v1${real(path)}`, {
      method: operation.rest.method,
      headers: { Authorization: `Bearer ${key}`, ...(body ? { "Content-Type": "application/json" } : {}) },
      ...(body ? { body: real(JSON.stringify(body)) } : {}),
    });
    const text = made(madeUp(await response.text()), operation);
    const wanted = operation.takesPayment ? 402 : (operation.rest.status ?? 200);
    if (response.status !== wanted) throw new Error(`the example of ${operation.name} was answered ${text}`);
    all[operation.name] = { status: response.status, body: JSON.parse(text) };
    await service.close();
  }
  return all;
}

/** Replaces ids and other random values that the call made by fixed ones. */
function made(text: string, { name }: AnyOperation): string {
  return text
    .replace(/"(prj|lnk)_(?!0123456789abc)[0-9a-z]{13}/g, '"$1_1123456789abc')
    .replace(/\/(prj)_(?!0123456789abc)[0-9a-z]{13}/g, "/$1_1123456789abc")
    .replace(/\b(ord|acc|site|led)_(?!0123456789abc)[0-9a-z]{20}/g, "$1_1123456789abcdefghjk")
    .replace(/\bled_[0-9a-z]{20}/g, "led_0123456789abcdefghjk")
    .replace(/\b[0-9a-f]{32}\b/g, "0123456789abcdef0123456789abcdef")
    .replace(/\b(cs_\w*?|sbx_)[0-9a-z]{16,}/g, `$1${name}`);
}

function asSource(all: Record<string, Answer>): string {
  const rows = Object.entries(all).map(([name, answer]) => `  ${name}: ${JSON.stringify(answer)},`);
  return `// biome-ignore-all format: generated
/** Written by \`npm run generate\`: what the example of each operation was answered, on a service at http://beckon.test. */
export const EXAMPLE_RESPONSES: Readonly<Record<string, { readonly status: number; readonly body: unknown }>> = {
${rows.join("\n")}
};
`;
}
