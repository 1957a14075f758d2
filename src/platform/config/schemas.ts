import { z } from "zod";
import { ipNetworkIn } from "../ip-network.ts";
import { nearestName } from "../nearest.ts";
import { databaseUrlProblem } from "./database.ts";
import { keyBytes } from "./key-bytes.ts";
import { FAULTS, faultIn, type SimulatedFault } from "./sandbox-faults.ts";

/** A whole number within bounds. */
export function whole(least: number, most: number) {
  const form = `must be a whole number from ${least} to ${most}`;
  return z.coerce.number<string>(form).int(form).min(least, form).max(most, form);
}

/** A number that may have decimals. */
export function decimal(least: number, most: number) {
  const form = `must be a number from ${least} to ${most}`;
  return z.coerce.number<string>(form).min(least, form).max(most, form);
}

export function oneOf<const T extends readonly string[]>(...values: T) {
  return z.enum(values, `must be one of ${values.join(", ")}`);
}

export const onOff = oneOf("on", "off");

/** An origin and a path that appear in documents and headers: the host in punycode, and no credentials or query. */
export const siteAddress = z
  .url({ protocol: /^https?$/, error: "must be an http or https address" })
  .transform((text) => new URL(text))
  .refine(({ username, password }) => username === "" && password === "", "must carry no user name and password")
  .refine(({ search, hash }) => search === "" && hash === "", "must carry no query and no fragment")
  .transform(({ href }) => href.replace(/\/+$/, ""));

export const webAddress = z
  .url({ protocol: /^https?$/, error: "must be an http or https address" })
  .transform((url) => url.replace(/\/+$/, ""));

/** One address or several, comma-separated. A comma separates only where an address follows it: an address may hold commas. */
export const webAddresses = z
  .string()
  .transform((text) => text.split(ADDRESS_BREAK).map((part) => part.trim()))
  .pipe(z.array(webAddress))
  .refine((urls) => new Set(urls).size === urls.length, "must name each address once");

export const ADDRESS_BREAK = /,\s*(?=https?:)/i;

export const databaseUrl = z.string().superRefine((text, ctx) => {
  const problem = databaseUrlProblem(text);
  if (problem) ctx.addIssue({ code: "custom", message: problem });
});

/** A credential of any form. */
export const credential = z.string().min(1).optional();

/** An EVM chain in CAIP-2 form. */
export const evmNetwork = z
  .string()
  .regex(/^eip155:[1-9]\d{0,15}$/, "must be eip155: and the number of a chain")
  .refine((network) => Number.isSafeInteger(Number(network.slice("eip155:".length))), "has a number that is too large");

/** The address of an account or a contract on an EVM chain. */
export const evmAddress = z.string().regex(/^0x[0-9a-fA-F]{40}$/, "must be 0x and 40 hexadecimal digits");

/** The name of an npm package, with a scope or without, and its version where it is to stay the same. */
export const npmPackage = z
  .string()
  .max(214, "must have 214 characters or fewer")
  .regex(
    /^(?:@[a-z\d][\w.-]*\/)?[a-z\d][\w.-]*(?:@\d[\w.+-]*)?$/,
    "must be the name of an npm package, such as beckon-client or @example/beckon@1.2.3",
  );

/** Printable ASCII, which log lines, headers and labels can carry. */
export const label = z
  .string()
  .max(100, "must have 100 characters or fewer")
  .regex(/^[\x21-\x7e]+$/, "must be one word of printable ASCII");

/** Lines of a receipt, separated by `|`. */
export const printedLines = z
  .string()
  .max(500, "must have 500 characters or fewer")
  .transform((text) => text.split("|").map((line) => line.trim()))
  .pipe(z.array(z.string()).max(8, "must have 8 lines or fewer"));

/** `name,name` */
export const names = z.string().transform((text) =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== ""),
);

/** A key of 32 bytes, or two while it is rotated: `NEW,OLD`. */
export const secretsKeys = names
  .prefault("")
  .refine(
    (keys) => keys.every((key) => keyBytes(key) !== null),
    "must be 32 bytes in base64, such as `openssl rand -base64 32` makes",
  )
  .refine((keys) => keys.length <= 2, "must be one key, or two while it is rotated")
  .refine(
    (keys) => new Set(keys.map((key) => keyBytes(key)?.toString("hex"))).size === keys.length,
    "must name each key once",
  );

/** A name of a table; the refusal says the nearest one, and all. */
export function nameOf(known: readonly string[]) {
  return z.string().refine((name) => known.includes(name), {
    error({ input }) {
      const near = nearestName(String(input), known);
      return `must name ${known.join(", ")}, not "${input}".${near ? ` Did you mean ${near}?` : ""}`;
    },
  });
}

/** `name=value,name=value` */
export function byName<T>(known: readonly string[], value: z.ZodType<T, string>) {
  const form = "must be NAME=VALUE, comma-separated";
  // An empty value must not become 0: it would make a provider free, or switch it off.
  const named = z.tuple([z.string().min(1, form).pipe(nameOf(known)), z.string().min(1, form).pipe(value)]);
  return names
    .prefault("")
    .transform((parts) =>
      parts.map((part): [string, string] => {
        const equals = part.indexOf("=");
        if (equals === -1) return ["", part];
        return [part.slice(0, equals).trim(), part.slice(equals + 1).trim()];
      }),
    )
    .pipe(z.array(named))
    .transform((pairs) => Object.fromEntries(pairs) as Readonly<Record<string, T>>);
}

/** IP networks, comma-separated. */
export const ipNetworks = names.pipe(
  z.array(
    z.string().refine((text) => ipNetworkIn(text) !== null, "must name networks such as 10.1.0.0/16 or fd00::/8"),
  ),
);

/** Faults of the sandbox, comma-separated, each with the hours between which it is active: `quota,outage@24-96`. */
export const sandboxFaults = names.transform((parts, ctx): readonly SimulatedFault[] => {
  const faults = parts.map(faultIn).filter((fault) => fault !== null);
  if (faults.length < parts.length)
    ctx.addIssue({
      code: "custom",
      message: `must name faults of ${Object.keys(FAULTS).join(", ")}, each with @FROM-UNTIL in hours or without`,
    });
  return faults;
});
