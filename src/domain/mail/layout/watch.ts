import { cut } from "../../../platform/text.ts";
import type { Unsubscribable } from "./notice.ts";

export interface About {
  readonly watch_id: string;
  readonly sitemap_url: string;
}

export function linkTo({ siteUrl }: Unsubscribable, { watch_id: id }: About) {
  return { link: `${siteUrl}/dashboard/watches/${id}`, label: "See the watch" };
}

export function hostOf({ sitemap_url: url }: About): string {
  return cut(new URL(url).hostname, 60);
}

export function addressOf({ sitemap_url: url }: About): string {
  return cut(url, 200);
}
