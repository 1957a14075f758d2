import type { Config } from "../../platform/config/config.ts";
import { directValues } from "./direct-payment.ts";
import type { Document } from "./document.ts";
import { table } from "./markdown.ts";
import { pageOf } from "./page.ts";

/** Where to start with each kind of program, and the page that lists them. */
export function quickstarts(config: Config): readonly Document[] {
  const each = [
    ...["claude", "curl", "javascript", "a2a"].map((name) => pageOf(`/docs/quickstart/${name}`, config)),
    ...(config.isSelling ? [pageOf("/docs/quickstart/wallet", config, directValues(config))] : []),
  ];
  const rows = each.map(({ path, title, summary }) => [`[${title}](${path})`, summary]);
  return [pageOf("/docs/quickstart", config, { quickstarts: table(["with", "what it shows"], rows) }), ...each];
}
