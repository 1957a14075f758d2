import type { VNode } from "preact";
import { cut } from "../../../platform/text.ts";

/** Characters of a URL in a list; its own page shows all of it. */
const SHOWN = 120;

interface UrlTextProps {
  readonly url: string;
  /** The most characters; by default as many as in a list. */
  readonly most?: number;
}

/**
 * A URL for reading: cut if it is long, and decoded where it is percent-encoded. Parts that are written from right to left are
 * isolated, so that they stay in their order.
 */
export function UrlText({ url, most = SHOWN }: UrlTextProps): VNode {
  const text = readableUrl(url);
  const shown = cut(text, most);
  // An odd position holds what the pattern has found.
  const parts = shown.split(/([\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]+)/u);
  return (
    <bdi dir="ltr">
      {parts.map((part, at) => (at % 2 === 1 ? <bdi key={at}>{part}</bdi> : part))}
      {shown === text ? "" : "…"}
    </bdi>
  );
}

/**
 * Percent-encoded letters decoded, so that an address in Arabic can be read. Spaces, controls, marks of direction and other
 * characters that show nothing or something else stay encoded.
 */
function readableUrl(url: string): string {
  return url.replace(/(?:%[89A-F][0-9A-F])+/g, (escapes) => {
    try {
      const text = decodeURIComponent(escapes);
      return /^[\p{L}\p{N}\p{M}]+$/u.test(text) ? text : escapes;
    } catch {
      return escapes;
    }
  });
}

/** The URL, which others chose, as a link if it leads to the web; its server does not learn where the link was. */
export function ExternalLink({ url, children }: { url: string; children: string }): VNode | null {
  if (!/^https?:\/\//.test(url)) return null;
  return (
    <a href={url} rel="noreferrer nofollow">
      {children}
    </a>
  );
}
