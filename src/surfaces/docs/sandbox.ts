import { FATES } from "../../indexing/engines/sandbox/fate.ts";
import { FAULTS } from "../../indexing/engines/sandbox/faults.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Document } from "./document.ts";
import { fenced, page, table } from "./markdown.ts";

export function sandboxDocument({ mode, siteUrl }: Config): Document {
  return {
    path: "/docs/sandbox",
    title: "Sandbox",
    summary: "A Beckon in which nothing is sent and no money moves: what happens to a URL there, and how to choose it.",
    section: "Guides",
    markdown: page(
      "# Sandbox",
      mode === "sandbox"
        ? `> **This deployment (\`${siteUrl}\`) is a sandbox.**`
        : `This deployment (\`${siteUrl}\`) is live. A sandbox is started with [two commands](/docs/self-hosting).`,
      `In a sandbox the whole service works as it does elsewhere, but no search engine is called and no money moves. Its keys
begin with \`bk_test_\`, those of a live service with \`bk_live_\`; a database belongs to one of the two for good.`,
      "## What happens to a URL",
      `Its fate is chosen by a hash of the URL, so that the same project always comes out the same. To choose it yourself, add
a parameter:`,
      fenced("text", "https://example.com/page?sandbox=never"),
      table(
        ["`?sandbox=`", "share", "what happens"],
        Object.entries(FATES).map(([name, { share, about }]) => [`\`${name}\``, `${share} %`, about]),
      ),
      "## Time",
      `\`TIME_SCALE\` makes the service's time run faster: at 69120, sixteen days pass in twenty seconds. Credits, limits and
tokens stay on real time.`,
      "## Faults",
      `Whoever runs the sandbox can have things go wrong, with \`SANDBOX_FAULTS\`; \`quota,outage@24-96\` means the second from
hour 24 to hour 96.`,
      table(
        ["`SANDBOX_FAULTS`", "what goes wrong"],
        Object.entries(FAULTS).map(([name, about]) => [`\`${name}\``, about]),
      ),
      "## Money",
      `Where no Stripe key is set, a payment link leads to a page of the sandbox's own: its buttons pay, decline and pay
later, and its orders have the method \`sandbox\`.`,
    ),
  };
}
