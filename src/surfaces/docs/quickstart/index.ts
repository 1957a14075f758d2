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
    summary: "Where to start, depending on what you call Beckon with.",
    section: "Get started",
    markdown: page(
      "# Quickstart",
      "Choose what you want to call Beckon with. All of them offer the same operations at the same price.",
      table(
        ["with", "what it shows"],
        each.map(({ path, title, summary }) => [`[${title}](${path})`, summary]),
      ),
      config.direct
        ? ""
        : "This deployment does not accept payments from a wallet (x402); that page says what to do instead.",
      `An agent without an API key can get a token of its own, which its user has to allow: [/auth.md](/auth.md). People can use
the [dashboard](/dashboard).`,
    ),
  };
  return [index, ...each];
}
