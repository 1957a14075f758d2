import { FATES } from "../../indexing/engines/sandbox/fate.ts";
import type { Config } from "../../platform/config/config.ts";
import { FAULTS } from "../../platform/config/sandbox-faults.ts";
import { formatPercent } from "../../platform/format.ts";
import type { Document } from "./document.ts";
import { fenced, page, table } from "./markdown.ts";

export function sandboxDocument({ mode, siteUrl }: Config): Document {
  return {
    path: "/docs/sandbox",
    title: "Sandbox",
    summary: "A Beckon that sends nothing and moves no money: what happens to a URL there, and how to choose it.",
    section: "Guides",
    markdown: page(
      "# Sandbox",
      mode === "sandbox"
        ? `> **This deployment (\`${siteUrl}\`) is a sandbox.**`
        : `This deployment (\`${siteUrl}\`) is live. A sandbox is started with [two commands](/docs/self-hosting).`,
      `In a sandbox everything works as in a live service, but no search engine is called and no money moves. Its API keys
begin with \`bk_test_\`, those of a live service with \`bk_live_\`. A database is either for a sandbox or for a live
service, and this cannot be changed.`,
      "## What happens to a URL",
      `The outcome follows from a hash of the URL, so the same URLs always have the same outcomes. To choose an outcome
yourself, add a parameter:`,
      fenced("text", "https://example.com/page?sandbox=never"),
      table(
        ["`?sandbox=`", "share", "what happens"],
        Object.entries(FATES).map(([name, { share, about }]) => [`\`${name}\``, formatPercent(share, 100), about]),
      ),
      "## Time",
      `\`TIME_SCALE\` lets the time of projects and checks run faster: at 69120, sixteen days pass in twenty seconds. Limits,
tokens, orders and the credit history stay on real time.`,
      "## Faults",
      `The operator of a sandbox can simulate faults with \`SANDBOX_FAULTS\`. \`quota,outage@24-96\` simulates both, the second
one from hour 24 to hour 96.`,
      table(
        ["`SANDBOX_FAULTS`", "what goes wrong"],
        Object.entries(FAULTS).map(([name, about]) => [`\`${name}\``, about]),
      ),
      "## Money",
      `If no Stripe key is set, a payment link leads to a payment page of the sandbox. Its buttons pay, pay later or decline
the card, and its orders have the method \`sandbox\`.`,
    ),
  };
}
