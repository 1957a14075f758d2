import type { Part, SendMessageRequest } from "../wire.ts";

/** Whether a client accepts text and no JSON (A2A 1.0 section 3.2.2, acceptedOutputModes); false where it names neither. */
export function readsTextOnly({ acceptedOutputModes = [] }: NonNullable<SendMessageRequest["configuration"]>): boolean {
  const modes = acceptedOutputModes.map((mode) => mode.split(";")[0]!.trim().toLowerCase());
  return modes.some((mode) => TEXT.has(mode)) && !modes.some((mode) => JSON_TOO.has(mode));
}

const TEXT: ReadonlySet<string> = new Set(["text/plain", "text/*", "text"]);
const JSON_TOO: ReadonlySet<string> = new Set(["application/json", "application/*", "*/*"]);

/** An object of the protocol with its data parts turned into text parts of the same JSON. */
export function inText<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, one]) => [
    name,
    name === "parts" ? (one as Part[]).map(textOf) : Array.isArray(one) ? one.map(inText) : inText(one),
  ]);
  return Object.fromEntries(entries) as T;
}

function textOf(part: Part): Part {
  if (part.data === undefined) return part;
  const { data, ...rest } = part;
  return { ...rest, text: JSON.stringify(data), mediaType: "text/plain" };
}
