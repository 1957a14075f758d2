import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { requestOf } from "../src/contract/example.ts";
import { EXAMPLE_RESPONSES, type RecordedAnswer } from "../src/contract/example-responses.ts";
import type { AnyOperation } from "../src/contract/operation.ts";
import { packageRoot } from "../src/platform/package-root.ts";
import { signature } from "../test/support/payments/fake-direct-payments.ts";
import { approveExample, startExampleService } from "../test/support/service/example-service.ts";
import { operations } from "../tools/index.ts";

/** The responses that documents show: each example is called on a service in this process. */
const FILE = "src/contract/example-responses.ts";

/** Updates the file, unless `checking`. @returns its path if it was out of date */
export async function updateAnswers(checking: boolean): Promise<string[]> {
  const path = join(packageRoot, FILE);
  // The service that answers says in its documents what each operation answers: a new one, nothing yet.
  for (const { name } of operations) (EXAMPLE_RESPONSES as Record<string, RecordedAnswer>)[name] ??= NOTHING;
  const all = await answers();
  // For the documents that this process makes next: it has loaded the former answers.
  Object.assign(EXAMPLE_RESPONSES, all);
  const wanted = asSource(all);
  if (wanted === readFileSync(path, "utf8")) return [];
  if (!checking) writeFileSync(path, wanted);
  return [FILE];
}

const NOTHING: RecordedAnswer = { status: 200, body: {} };

async function answers(): Promise<Record<string, RecordedAnswer>> {
  const all: Record<string, RecordedAnswer> = {};
  for (const operation of operations) {
    // A service for each example, so that no answer shows the effect of another.
    const example = await startExampleService(operation.effect, false, operation.name === "get_experiment");
    const { service, key, real, madeUp } = example;
    await approveExample(example, operation);
    const { path, body } = requestOf(operation);
    const call = async (wanted: number, more: Record<string, string> = {}) => {
      const response = await fetch(`${service.url}/api/v1${real(path)}`, {
        method: operation.rest.method,
        headers: { Authorization: `Bearer ${key}`, ...(body ? JSON_BODY : {}), ...more },
        ...(body ? { body: real(JSON.stringify(body)) } : {}),
      });
      const text = made(madeUp(await response.text()), operation);
      if (response.status !== wanted) throw new Error(`the example of ${operation.name} was answered ${text}`);
      return text;
    };
    const status = operation.takesPayment ? 402 : (operation.rest.status ?? 200);
    const answer = JSON.parse(await call(status));
    const texts: Record<string, string> = {};
    for (const type of textsOf(operation)) texts[type] = await call(status, { Accept: type });
    all[operation.name] = {
      status,
      body: answer,
      ...(Object.keys(texts).length > 0 ? { texts } : {}),
      // The first call has done all that there is to do.
      ...(operation.takesPayment ? { paid: JSON.parse(await call(200, PAYMENT)) } : {}),
      ...(operation.hadNothingToDo ? { nothingToDo: JSON.parse(await call(200)) } : {}),
    };
    await service.close();
  }
  return all;
}

const JSON_BODY = { "Content-Type": "application/json" };

/** A payment that the service of the examples takes; its nonce becomes the hash of the transaction. */
const PAYMENT = { "PAYMENT-SIGNATURE": signature({ nonce: `0x${"c".repeat(64)}` }) };

/** The media types of its answers, besides JSON. */
function textsOf({ representations = [] }: AnyOperation): string[] {
  return representations.map(({ mediaType }) => mediaType).filter((type) => type !== "application/json");
}

/** Replaces ids and other random values that the call made by fixed ones. */
function made(text: string, { name }: AnyOperation): string {
  return (
    text
      .replace(/\b(prj|lnk)_(?!0123456789abc|2345678abcdef|3456789abcdef)[0-9a-z]{13}/g, "$1_1123456789abc")
      .replace(
        /\b(ord|acc|site|led|wh|dlv|key|grt|apr|wat|run|exp|act|per|shr)_(?!0123456789abc)[0-9a-z]{20}/g,
        "$1_1123456789abcdefghjk",
      )
      .replace(/shs_[\w-]{43}/g, "shs_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo")
      .replace(/beckon_ps_[\w-]{43}/g, "beckon_ps_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo")
      .replace(/whsec_[\w+/=]+/g, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=")
      .replace(/\bled_[0-9a-z]{20}/g, "led_0123456789abcdefghjk")
      .replace(/\bevt_[0-9a-z]{20}/g, "evt_0123456789abcdefghjk")
      .replace(/"seed":"[0-9a-z]+"/g, '"seed":"0123456789abcdefghjk"')
      // It follows from the id of the watch.
      .replace(/"next_run_at":"[^"]+"/g, '"next_run_at":"2026-01-22T06:30:00.000Z"')
      .replace(/\b[0-9a-f]{32}\b/g, "0123456789abcdef0123456789abcdef")
      .replace(/\b(cs_\w*?|sbx_)[0-9a-z]{16,}/g, `$1${name}`)
  );
}

function asSource(all: Readonly<Record<string, RecordedAnswer>>): string {
  const rows = Object.entries(all).map(([name, answer]) => `  ${name}: ${JSON.stringify(answer)},`);
  return `// biome-ignore-all format: generated
/** What a service answered to the example of an operation. */
export interface RecordedAnswer {
  readonly status: number;
  readonly body: unknown;
  /** The answers in other representations, by media type. */
  readonly texts?: Readonly<Record<string, string>>;
  /** The answer to the same call with a payment. */
  readonly paid?: unknown;
  /** The answer where there was nothing to do. */
  readonly nothingToDo?: unknown;
}

/** Written by \`npm run generate\`: what the example of each operation was answered, on a service at http://beckon.test. */
export const EXAMPLE_RESPONSES: Readonly<Record<string, RecordedAnswer>> = {
${rows.join("\n")}
};
`;
}
