import type { VNode } from "preact";
import { cut } from "../../../platform/text.ts";

/** Characters of a URL in a list; its own page shows all of it. */
const SHOWN = 120;

/** A URL in a list, cut if it is long, and readable where it is percent-encoded. */
export function UrlText({ url }: { url: string }): VNode {
  const text = readableUrl(url);
  const shown = cut(text, SHOWN);
  return <bdi dir="ltr">{shown === text ? text : `${shown}…`}</bdi>;
}

/**
 * Percent-encoded letters decoded, so that an address in Arabic can be read. Spaces, controls, marks of direction and other
 * characters that show nothing or something else stay encoded.
 */
export function readableUrl(url: string): string {
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
