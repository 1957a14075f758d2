import { OLDEST_NODE } from "../../platform/node-version.ts";
import { CLONE, CONTAINER, commandAt, PACKAGE, startAt } from "../../platform/own-command.ts";
import type { Document } from "./document.ts";
import { fenced, page, table } from "./markdown.ts";
import { STOP_SECONDS } from "./operating.ts";

export function selfHostingDocument(): Document {
  return {
    path: "/docs/self-hosting",
    title: "Self-hosting",
    summary: "Run Beckon yourself: one process or several, one database, settings from the environment.",
    section: "Guides",
    markdown: page(
      "# Self-hosting",
      `Beckon is one Node.js process (${OLDEST_NODE} or newer) with a SQLite file, or several processes with a PostgreSQL database. Its
licence is MIT.`,
      "## Start",
      fenced(
        "sh",
        [
          `${startAt(CLONE)}                # in a checkout: installs, builds, migrates the database, and serves on http://localhost:3000`,
          `${startAt(PACKAGE)}      # the same with the installed package, in any folder`,
        ].join("\n"),
      ),
      `Without settings it is a [sandbox](/docs/sandbox) that only this machine can reach. It prints a demo key and commands to
paste. In a checkout, \`npm run demo\` shows sixteen days of a project in twenty seconds. [Operating](/docs/operating) has the
lines that make the package, and those that build and run a container.`,
      "## Settings",
      "From the environment only. The main ones; `docs/settings.md` of the project lists them all.",
      table(
        ["setting", "meaning"],
        [
          ["`PORT`, `HOST`", "the address it listens on; port 3000 on 127.0.0.1 by default"],
          ["`SITE_URL`", "the address of the website; a live service needs https"],
          ["`DATABASE_URL`", "the SQLite file, `file:./data/beckon.db` by default, or `postgres://…`"],
          ["`SECRETS_KEY`", "the key that seals secrets in the database; a live service needs one"],
          ["`ROLE`, `NODE_NAME`, `DATABASE_POOL`", "for one of several nodes: see below"],
          ["`ENGINES`", "`sandbox`, `live`, or names of providers in order of preference"],
          ["`STRIPE_SECRET_KEY`, `STRIPE_WEBHOOK_SECRET`", "payment by card"],
          ["`X402_…`", "direct payment on an EVM chain"],
          ["`MAIL`", "how mail is sent: `console`, `file:FOLDER` or `smtp://…`"],
          ["`CONTACT`, `PRIVACY_URL`, `TERMS_URL`, `SUPPORT_URL`", "how people reach you, and your own pages"],
          ["`TRUST_PROXY`", "the number of reverse proxies in front"],
          [
            "`METRICS_TOKEN`, `OTEL_EXPORTER_OTLP_ENDPOINT`, `OTEL_EXPORTER_OTLP_HEADERS`",
            "metrics and traces: see below",
          ],
        ],
      ),
      "## Going live",
      `A live service (\`ENGINES=live\`) needs its own database, an https \`SITE_URL\`, a \`SECRETS_KEY\`, real mail and
real payments. If a setting
belongs to the sandbox, it refuses to start and names the setting. Search engines accept pages of verified sites; for
all other pages there are resellers, each with its own API key. None is required: a URL that no provider can take fails
with \`no_provider\`, and its credits are returned.`,
      "## Several nodes",
      `With PostgreSQL (15 or newer) any number of equal processes can work on one database. There is no leader, and any of them
may be killed at any time. \`ROLE\` says what a process does. Every process listens on \`PORT\`.`,
      table(
        ["`ROLE`", "answers requests", "does background work", "listens for"],
        [
          ["`both` (default)", "yes", "yes", "everything"],
          ["`serve`", "yes", "no", "everything"],
          ["`work`", "no", "yes", "`/healthz`, `/readyz`, `/metrics`"],
        ],
      ),
      `If no node does background work, submitted URLs wait. Each process uses up to \`DATABASE_POOL\` connections (10), and one that
answers requests up to 2 more for its thread for large calls. PostgreSQL's \`max_connections\` has to be enough for all of
them. The command \`serve\` waits up to a minute for PostgreSQL to answer; other commands do not.`,
      "## Health and stopping",
      table(
        ["path", "meaning"],
        [
          [
            "`/healthz`",
            "200: the process is alive, even while its database is unavailable. Restart the process if this does not answer",
          ],
          [
            "`/readyz`",
            "200: send requests here. 503 with the names of the failed checks: the database does not answer within 2 seconds, its schema is that of another version, or the process is stopping",
          ],
        ],
      ),
      `The first SIGTERM (or Ctrl-C) stops a process gracefully. From then on \`/readyz\` answers 503, every response closes its
connection, and no new background work starts. For \`DRAIN_SECONDS\` (0 by default; behind a proxy, the time that the
proxy takes to notice) it still accepts requests. Then it stops listening, ends open streams, and gives running requests
10 seconds and running steps 15. Steps that are not done by then are released, so that another node takes them at once,
except those in the middle of a submission, which become free when their lease of one minute expires. The process exits
with 0 after at most \`DRAIN_SECONDS\` and ${STOP_SECONDS} seconds. A node that is killed loses nothing either: other nodes take over
its steps after a minute.`,
      `When a new version migrates the database, nodes of the old version are no longer ready, and none of them can start.
Start the new nodes before you stop the old ones.`,
      "## Metrics, logs and traces",
      `\`/metrics\` answers in the Prometheus text format, or in OpenMetrics if asked for. It needs \`METRICS_TOKEN\` as a bearer
token. If that is not set, it is available only on a loopback \`HOST\` without a proxy, and 404 elsewhere. No label names an
account, a host or an address.`,
      table(
        ["metric", "of", "meaning"],
        [
          [
            "`beckon_http_request_duration_seconds`",
            "node",
            "requests, by `surface` and `status` (`2xx` … `5xx`, `aborted`)",
          ],
          ["`beckon_step_duration_seconds`", "node", "steps worked on, by `action` and `outcome`"],
          ["`beckon_verdicts_total`", "node", "results of checks, by `result`"],
          [
            "`beckon_database_connections`, `…_waiting`, `…_retries_total`",
            "node",
            "PostgreSQL: the connection pool, and repeated transactions",
          ],
          ["`process_…`, `nodejs_…`", "node", "memory, CPU, event-loop lag, garbage collection"],
          ["`beckon_node_info`", "node", "its name, role, database and version"],
          ["`beckon_links`", "database", "links by `state`"],
          [
            "`beckon_steps`, `beckon_steps_oldest_due_seconds`",
            "database",
            "steps in the queue by `action`, and how late the oldest one is",
          ],
          [
            "`beckon_ledger_credits`",
            "database",
            "credits booked since the beginning, by `kind`; spent ones are negative",
          ],
          ["`beckon_orders_open`", "database", "orders that are not paid yet"],
          [
            "`beckon_mail_waiting`, `beckon_mail_oldest_seconds`",
            "database",
            "mail that is not sent yet, and how long the oldest waits",
          ],
          [
            "`beckon_deleted_accounts_money_total`",
            "database",
            "purchases, refunds and disputes booked for accounts after they were deleted; each is also an error in the log",
          ],
          [
            "`beckon_provider_calls_total`, `beckon_provider_failures_total`",
            "database",
            "calls of providers, and those that failed, by `provider`",
          ],
          [
            "`beckon_totals_age_seconds`, `beckon_totals_failed_total`",
            "node",
            "how old the figures of the database are, and how often reading them failed",
          ],
        ],
      ),
      `Metrics of the database are the same on every node: take the maximum, not the sum. They are counted when they are
scraped, in portions, at most every 30 seconds (the ledger every 5 minutes) and for at most a twentieth of the time;
what cannot be counted within 10 seconds is left out. Alert when \`beckon_steps_oldest_due_seconds\` exceeds 300, when
\`beckon_mail_oldest_seconds\` exceeds 600: nobody can sign up without mail, and when \`beckon_deleted_accounts_money_total\`
rises: nobody will ask for that money.`,
      "## Accounts that are deleted",
      `Users delete their accounts themselves. Seven days later, in the job of every hour, everything goes that names them: the
address, sessions, keys, apps, projects with their URLs, tasks, logs. What stays is a tombstone with the ledger and the
orders, which \`audit\` proves like any other. A payment that comes later is booked, gives no credits, and is logged as an
error. Backups keep what they had; how long you keep those is yours to decide.`,
      `Logs are JSON lines on standard error (\`LOG_LEVEL\`); at \`debug\` there is one for each request. Keys, tokens, passwords,
signatures and the values of database statements are redacted. A database that becomes unavailable is logged once, with
the reason, and once when it is back, with the duration and the number of refused requests. The same holds for traces
that cannot be delivered.`,
      `With \`OTEL_EXPORTER_OTLP_ENDPOINT\`, requests, calls of operations, steps and database transactions become OpenTelemetry
spans, sent as OTLP over HTTP (JSON) to \`/v1/traces\` at that address. A request with a \`traceparent\` joins its trace.
\`OTEL_EXPORTER_OTLP_HEADERS\`, \`OTEL_TRACES_SAMPLER\` and \`OTEL_TRACES_SAMPLER_ARG\` work as OpenTelemetry defines them. A
call on the thread for large calls is one span.`,
      "## Operating",
      `Run \`${commandAt(PACKAGE, "COMMAND")}\`, in a container \`${commandAt(CONTAINER, "COMMAND")}\`, in a checkout
\`${commandAt(CLONE, "COMMAND")}\`.`,
      table(
        ["command", "what it does"],
        [
          ["`account create`", "creates an account, with an API key if you ask for one (`--help`)"],
          ["`doctor`", "shows what is failing now"],
          ["`audit`", "proves that ledgers, balances, links and counters agree"],
          ["`providers`", "shows the state of search engines and other providers"],
          ["`backup --to FILE`", "copies the SQLite database while the service runs"],
        ],
      ),
      `[Operating](/docs/operating) explains backups, moving to PostgreSQL, reverse proxies, systemd and containers.`,
    ),
  };
}
