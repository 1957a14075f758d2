import type { Document } from "./document.ts";
import { fenced, page, table } from "./markdown.ts";

export function selfHostingDocument(): Document {
  return {
    path: "/docs/self-hosting",
    title: "Self-hosting",
    summary: "Run Beckon yourself: one process, one database, settings from the environment.",
    section: "Guides",
    markdown: page(
      "# Self-hosting",
      `Beckon is one Node.js process (20.19 or newer) with one SQLite file. It is MIT licensed.`,
      "## Start",
      fenced("sh", "npm start     # in a checkout: installs, builds, migrates, serves on http://127.0.0.1:3000"),
      `Without settings it is a [sandbox](/docs/sandbox) that only this machine can reach; it prints a demo key and lines to
paste. \`npm run demo\` shows sixteen days of a project in twenty seconds.`,
      "## Settings",
      "From the environment only. The main ones; the README lists them all.",
      table(
        ["setting", "what it is"],
        [
          ["`PORT`, `HOST`", "where it listens; 3000 on 127.0.0.1 by default"],
          ["`SITE_URL`", "the address it is reached at; a live service needs https"],
          ["`DATABASE_URL`", "the SQLite file, `file:./data/beckon.db` by default"],
          ["`ENGINES`", "`sandbox`, `live`, or names of providers in order of preference"],
          ["`STRIPE_SECRET_KEY`, `STRIPE_WEBHOOK_SECRET`", "payment by card"],
          ["`X402_…`", "direct payment on an EVM chain"],
          ["`MAIL`", "how mail leaves: `console`, `file:FOLDER` or `smtp://…`"],
          ["`TRUST_PROXY`", "how many reverse proxies stand in front"],
        ],
      ),
      "## Going live",
      `A live service (\`ENGINES=live\`) needs its own database, an https \`SITE_URL\`, real mail and real money; it
refuses to start on what belongs to the sandbox, and says which setting it means. Search engines take pages of sites
that are verified; for all other pages there are resellers, each with its own key. None is required: what no provider
can take fails with \`no_provider\`, and its credits come back.`,
      "## Operating",
      table(
        ["command", "what it does"],
        [
          [
            "`npm run -s beckon -- account create --email you@example.com --paid --key laptop`",
            "an account with a key (sandbox)",
          ],
          ["`npm run -s beckon -- doctor`", "what is failing now"],
          ["`npm run -s beckon -- audit`", "proves ledgers, balances, links and counters equal"],
          ["`npm run -s beckon -- providers`", "how search engines and services behind them are doing"],
        ],
      ),
    ),
  };
}
