import { recordedAnswer, requestOf } from "../src/contract/example.ts";
import type { AnyOperation } from "../src/contract/operation.ts";
import type { Config } from "../src/platform/config/config.ts";
import { ERRORS, type ErrorCode, type ErrorFields, errorEnvelope, Refusal } from "../src/platform/errors/errors.ts";
import { operations } from "../tools/index.ts";

/** The body of an operation's example. */
export function bodyExample(operation: AnyOperation): object {
  return { example: requestOf(operation).body };
}

/** The value of a path or query parameter in an operation's example; nothing if the example leaves it out. */
export function parameterExample({ example }: AnyOperation, name: string): object {
  return Object.hasOwn(example, name) ? { example: example[name] } : {};
}

/** The recorded answer to an operation's example, in each media type. */
export function answerExamples(operation: AnyOperation, config: Config): Readonly<Record<string, unknown>> {
  const { body, paid, texts } = recordedAnswer(operation, config);
  return { "application/json": paid ?? body, ...texts };
}

/** The recorded answer of an operation that had nothing to do. */
export function nothingToDoExample(operation: AnyOperation, config: Config): unknown {
  return recordedAnswer(operation, config).nothingToDo;
}

/** References to the examples of these errors, by code. */
export function errorExamples(codes: readonly ErrorCode[]): object {
  return Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));
}

/** An example of every error that some operation answers with: the component `examples`. */
export function errorExampleComponents(codes: readonly ErrorCode[], config: Config): object {
  const samples = { ...SAMPLES, ...paymentSamples(config) };
  return Object.fromEntries(
    codes.map((code) => {
      const { title, cause } = ERRORS[code];
      const [message, fields] = samples[code] ?? [cause];
      return [code, { summary: title, value: errorEnvelope(new Refusal(code, message, fields), config.siteUrl) }];
    }),
  );
}

type Samples = Partial<Record<ErrorCode, readonly [message: string, fields: ErrorFields]>>;

/** Messages and fields as calls answer them; a code that is not here has no further field. */
const SAMPLES: Samples = {
  invalid_request: [
    "`limit`: must be at most 500. Nothing was changed.",
    { issues: [{ path: "limit", message: "must be at most 500" }] },
  ],
  no_valid_urls: [
    "None of the entries is an absolute http(s) URL. Nothing was spent.",
    { invalid: 1, invalid_examples: ["example.com"] },
  ],
  too_many_urls: [
    "10001 URLs remain after dropping duplicates and invalid entries; a project takes 10000. Split the list; nothing was spent.",
    { urls: 10_001, max: 10_000 },
  ],
  sitemap_unreachable: [
    "The sitemap could not be fetched: its server answered with status 404. Nothing was spent.",
    { reason: "http_404" },
  ],
  insufficient_credits: [
    "Needs 30 credits, the balance is 12. Nothing was spent. Get more credits, or send fewer URLs.",
    { needed: 30, balance: 12 },
  ],
  insufficient_scope: [
    "submit_urls needs the scope `index`, which this credential lacks.",
    { required_scope: "index" },
  ],
  payload_too_large: ["The body is over 262,144 bytes. Send less in one request.", { max_bytes: 262_144 }],
};

/** Both answers with the price of a direct payment, by the recorded one. */
function paymentSamples(config: Config): Samples {
  const priced = operations.find(({ name }) => name === "get_direct_price")!;
  const { error } = recordedAnswer(priced, config).body as { error: Record<string, unknown> };
  const { code: _, message, docs: _docs, ...price } = error;
  const invalid =
    "The payment was not accepted. It was not signed by its payer for this token and chain. Read the price again and sign a new payment.";
  return {
    direct_payment_required: [message as string, price],
    payment_invalid: [invalid, { reason: "invalid_signature", ...price }],
  };
}
