import type { Config } from "../../../platform/config/config.ts";
import type { Document } from "../document.ts";
import { page, table } from "../markdown.ts";
import { a2aQuickstart } from "./a2a.ts";
import { claudeQuickstart } from "./claude.ts";
import { curlQuickstart } from "./curl.ts";
import { javascriptQuickstart } from "./javascript.ts";
import { walletQuickstart } from "./wallet.ts";

export function quickstarts(config: Config): readonly Document[] {
  const each = [
    claudeQuickstart(config),
    curlQuickstart(config),
    javascriptQuickstart(config),
    a2aQuickstart(config),
    walletQuickstart(config),
  ];
  const index: Document = {
    path: "/docs/quickstart",
    title: "Quickstart",
    summary: "Where to begin, by what you call Beckon with.",
    section: "Begin",
    markdown: page(
      "# Quickstart",
      "Pick what you call Beckon with. All of them do the same, at the same price.",
      table(
        ["with", "what it shows"],
        each.map(({ path, title, summary }) => [`[${title}](${path})`, summary]),
      ),
      config.direct ? "" : "This deployment takes no payments from a wallet (x402); its page says what to do instead.",
      `An agent that has no key, and whose person is there to allow it, gets a token of its own: [/auth.md](/auth.md). A
person who wants none of this uses the [dashboard](/dashboard).`,
    ),
  };
  return [index, ...each];
}
