import type { Config } from "../platform/config/config.ts";
import { formatDollars } from "../platform/format.ts";
import { PACKS, type Pack } from "../platform/packs.ts";
import { EXAMPLE_RESPONSES, type RecordedAnswer } from "./example-responses.ts";
import { type AnyOperation, hasBody } from "./operation.ts";

type Input = Readonly<Record<string, unknown>>;

/** The request of the example over REST: the path with its query, below /api/v1, and the body. */
export function requestOf(operation: AnyOperation): { path: string; body: Input | null } {
  const { rest, example } = operation;
  const input = example as Input;
  const inPath = Object.keys(input).filter((field) => rest.path.includes(`{${field}}`));
  const others = Object.entries(input).filter(([field]) => !inPath.includes(field));
  const path = inPath.reduce<string>((text, field) => text.replace(`{${field}}`, String(input[field])), rest.path);
  if (hasBody(operation)) return { path, body: Object.fromEntries(others) };
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

/** Replaces the address, the packs and the chain in a recorded response by this deployment's own. */
function localised(text: string, { siteUrl, direct, packs, isSelling }: Config): string {
  const sold = isSelling ? repriced(text, packs) : text.replace(/"packs":\[[^\]]*\]/, '"packs":[]');
  const here = sold.replaceAll("http://beckon.test", siteUrl);
  if (!direct) return here;
  return here
    .replaceAll("eip155:31337", direct.network)
    .replaceAll(`0x${"a".repeat(40)}`, direct.asset)
    .replaceAll(`0x${"b".repeat(40)}`, direct.payTo);
}

/** Replaces the packs of the specification in JSON by those that are sold. */
export function repriced(json: string, packs: readonly Pack[]): string {
  return PACKS.reduce((text, specified, at) => {
    const [from, to] = [mentionsOf(specified), mentionsOf(packs[at]!)];
    return from.reduce((changed, mention, index) => changed.replaceAll(mention, to[index]!), text);
  }, json);
}

/** How a pack is named in answers. Each has its id, so that none is taken for another one. */
function mentionsOf({ id, name, credits, amountCents, perLink }: Pack): string[] {
  const price = formatDollars(amountCents);
  return [
    `"pack":"${id}","credits":${credits},"amount_cents":${amountCents}`,
    `"pack":"${id}","credits":${credits},"amount":"${amountCents}0000"`,
    `${credits} credits (pack ${id}) cost ${price}`,
    `"id":"${id}","name":"${name}","price":"${price}","amount_cents":${amountCents},"credits":${credits},"per_link":"${perLink}"`,
  ];
}
