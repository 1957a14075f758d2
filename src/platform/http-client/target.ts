import { hasControl, parseUrl } from "../text.ts";
import { FetchFailure } from "./failure.ts";

/** Ports that may be connected to; 80 and 443 are always among them. */
export type Ports = Pick<ReadonlySet<number>, "has">;

export const ANY_PORT: Ports = { has: () => true };

export function portsOf(more: readonly number[]): Ports {
  return new Set([80, 443, ...more]);
}

/** Parses and checks the URL of a fetch, without looking up its host. @throws FetchFailure bad_url, not_public */
export function targetOf(text: string, ports: Ports): URL {
  const url = !hasControl(text) && /^https?:\/\//i.test(text) ? parseUrl(text) : null;
  return checkedUrl(url, ports, "bad_url");
}

/** Whether redirects have to stay at their host; `or_www`: or go to the same one with or without `www.`. */
export type SameHost = boolean | "or_www";

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export function isRedirect(status: number): boolean {
  return REDIRECTS.has(status);
}

/** The URL that a redirect leads to. The header may be repeated, but not with another value. @throws FetchFailure broken, left_host, bad_url, not_public */
export function redirectTarget(
  from: URL,
  location: string | string[] | undefined,
  ports: Ports,
  sameHost: SameHost,
): URL {
  // Header values come as Latin-1; addresses beyond ASCII are UTF-8 in practice.
  const [value = "", ...others] = [location ?? ""].flat();
  const text = others.every((other) => other === value) ? Buffer.from(value, "latin1").toString() : "";
  const to = checkedUrl(text === "" ? null : relativeTo(from, text), ports, "broken");
  const nameOf = ({ hostname }: URL) => (sameHost === "or_www" ? hostname.replace(/^www\./, "") : hostname);
  const leaves = nameOf(to) !== nameOf(from) || (from.protocol === "https:" && to.protocol === "http:");
  if (sameHost && leaves) throw new FetchFailure("left_host");
  return to;
}

function relativeTo(base: URL, text: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

function checkedUrl(url: URL | null, ports: Ports, unparsable: "bad_url" | "broken"): URL {
  if (!url) throw new FetchFailure(unparsable);
  const isWeb = url.protocol === "http:" || url.protocol === "https:";
  // A trailing dot, which stands for the DNS root, does not change a name.
  const host = url.hostname.replace(/\.$/, "");
  if (!isWeb || url.username !== "" || url.password !== "" || /^$|^\.|\.\.|\.$/.test(host)) {
    throw new FetchFailure("bad_url");
  }
  if (url.port !== "" && !ports.has(Number(url.port))) throw new FetchFailure("not_public");
  url.hostname = host;
  url.hash = "";
  return url;
}
