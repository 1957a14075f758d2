import { domainToASCII } from "node:url";

/**
 * Whether somebody with these properties may act in one. Google takes its name in Unicode and in ASCII, and refuses it
 * with the marks of direction that it lists itself.
 */
export function mayActIn(properties: ReadonlyMap<string, string>, property: string): boolean {
  if (/\p{Bidi_Control}/u.test(property)) return false;
  const wanted = asciiOf(property);
  const [, permission = ""] = [...properties].find(([known]) => asciiOf(known) === wanted) ?? [];
  return ["siteOwner", "siteFullUser"].includes(permission);
}

export function holdsUrl(property: string, url: string): boolean {
  const known = asciiOf(property);
  if (!known.startsWith("sc-domain:")) return url.startsWith(known);
  return `.${new URL(url).hostname}`.endsWith(`.${known.slice("sc-domain:".length)}`);
}

function asciiOf(property: string): string {
  const name = property.replace(/\p{Bidi_Control}/gu, "");
  const [, domain] = /^sc-domain:(.*)$/.exec(name) ?? [];
  if (domain !== undefined) return `sc-domain:${domainToASCII(domain)}`;
  return URL.canParse(name) ? new URL(name).href : name;
}
