/** The links of a document, of any media type. */
export interface DocumentLinks {
  /** Absolute addresses, without fragments. */
  readonly links: readonly string[];
  /** Absolute addresses with fragments. */
  readonly fragments: readonly string[];
}

/** All links in the body and the `Link` header of a response. */
export function linksIn(response: Response, text: string, origin: string): DocumentLinks {
  const type = response.headers.get("content-type") ?? "";
  const header = [...(response.headers.get("link") ?? "").matchAll(/<([^>]*)>/g)].map(([, target]) => target!);
  const all = [...header, ...inBody(type, text, origin)].flatMap((target) => {
    const url = URL.parse(target, response.url);
    return url && /^https?:$/.test(url.protocol) ? [url.href] : [];
  });
  return {
    links: [...new Set(all.map((url) => url.split("#")[0]!))],
    fragments: all.filter((url) => url.includes("#")),
  };
}

function inBody(type: string, text: string, origin: string): string[] {
  if (type.includes("html")) return matches(text, /<(?:a|link|area)\s[^>]*?href="([^"]*)"/g).map(unescaped);
  if (type.includes("json")) return addressesIn(JSON.parse(text));
  if (type.includes("xml")) return matches(text, /<loc>([^<]*)<\/loc>/g).map(unescaped);
  // Markdown and plain text: links, and addresses of our own in the text.
  const shown = matches(text, new RegExp(`(${origin}[^\\s"'\`<>()|\\\\]*)`, "g"));
  return [...matches(text.replace(/```[\s\S]*?```/g, ""), /\]\(([^)\s]+)/g), ...shown.map(trimmed).filter(isWhole)];
}

/** Strings that are addresses, at any depth. */
function addressesIn(value: unknown): string[] {
  if (typeof value === "string") return /^https?:\/\/\S+$/.test(value) && isWhole(value) ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(addressesIn) : [];
}

/** Whether an address is neither a pattern nor shortened. */
function isWhole(url: string): boolean {
  return !/[{}$…*]/.test(decodeURIComponent(url));
}

function trimmed(url: string): string {
  return url.replace(/[.,;:!?]+$/, "");
}

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, found]) => found!);
}

function unescaped(text: string): string {
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
}
