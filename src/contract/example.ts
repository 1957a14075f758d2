import type { Config } from "../platform/config/config.ts";
import { EXAMPLE_RESPONSES, type RecordedAnswer } from "./example-responses.ts";
import type { AnyOperation } from "./operation.ts";

type Input = Readonly<Record<string, unknown>>;

/** The request of the example over REST: the path with its query, below /api/v1, and the body of a POST. */
export function requestOf({ rest, example }: AnyOperation): { path: string; body: Input | null } {
  const input = example as Input;
  const inPath = Object.keys(input).filter((field) => rest.path.includes(`{${field}}`));
  const others = Object.entries(input).filter(([field]) => !inPath.includes(field));
  const path = inPath.reduce<string>((text, field) => text.replace(`{${field}}`, String(input[field])), rest.path);
  if (rest.method === "POST") return { path, body: Object.fromEntries(others) };
  const query = new URLSearchParams(
    Object.fromEntries(others.map(([field, value]) => [field, String(value)])),
  ).toString();
  return { path: query ? `${path}?${query}` : path, body: null };
}

/** The recorded answer to the example of an operation, as this deployment would give it. */
export function recordedAnswer({ name }: AnyOperation, config: Config): RecordedAnswer {
  const answer = EXAMPLE_RESPONSES[name];
  if (!answer) throw new Error(`${name} has no recorded response: npm run generate`);
  return JSON.parse(localised(JSON.stringify(answer), config));
}

/** Replaces the address and the chain in a recorded response by this deployment's own. */
function localised(text: string, { siteUrl, direct }: Config): string {
  const here = text.replaceAll("http://beckon.test", siteUrl);
  if (!direct) return here;
  return here
    .replaceAll("eip155:31337", direct.network)
    .replaceAll(`0x${"a".repeat(40)}`, direct.asset)
    .replaceAll(`0x${"b".repeat(40)}`, direct.payTo);
}
