import { iconsOf } from "../../platform/icons.ts";
import { version } from "../../platform/version.ts";

/** How this server presents itself to every client. */
export function serverInfo(siteUrl: string) {
  const icons = iconsOf(siteUrl);
  return { name: "beckon", title: "Beckon", version, websiteUrl: `${siteUrl}/docs/mcp`, icons };
}
