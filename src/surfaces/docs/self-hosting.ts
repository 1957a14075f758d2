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
      `Beckon is one Node.js process (20.19 or newer) with one SQLite file, or several on one PostgreSQL. It is MIT licensed.`,
      "## Start",
      fenced("sh", "npm start     # in a checkout: installs, builds, migrates, serves on http://127.0.0.1:3000"),
      `Without settings it is a [sandbox](/docs/sandbox) that only this machine can reach; it prints a demo key and lines to
paste. \`npm run demo\` shows sixteen days of a project in twenty seconds.`,
      "## Settings",
      "From the environment only. The main ones; `docs/settings.md` of the project lists them all.",
      table(
        ["setting", "what it is"],
        [
          ["`PORT`, `HOST`", "where it listens; 3000 on 127.0.0.1 by default"],
          ["`SITE_URL`", "the address it is reached at; a live service needs https"],
          ["`DATABASE_URL`", "the SQLite file, `file:./data/beckon.db` by default, or `postgres://…`"],
          ["`ROLE`, `NODE_NAME`, `DATABASE_POOL`", "one node of several: see below"],
          ["`ENGINES`", "`sandbox`, `live`, or names of providers in order of preference"],
          ["`STRIPE_SECRET_KEY`, `STRIPE_WEBHOOK_SECRET`", "payment by card"],
          ["`X402_…`", "direct payment on an EVM chain"],
          ["`MAIL`", "how mail leaves: `console`, `file:FOLDER` or `smtp://…`"],
          ["`TRUST_PROXY`", "how many reverse proxies stand in front"],
          [
            "`METRICS_TOKEN`, `OTEL_EXPORTER_OTLP_ENDPOINT`, `OTEL_EXPORTER_OTLP_HEADERS`",
            "metrics and traces: see below",
          ],
        ],
      ),
      "## Going live",
      `A live service (\`ENGINES=live\`) needs its own database, an https \`SITE_URL\`, real mail and real money; it
refuses to start on what belongs to the sandbox, and says which setting it means. Search engines take pages of sites
that are verified; for all other pages there are resellers, each with its own key. None is required: what no provider
can take fails with \`no_provider\`, and its credits come back.`,
      "## Several nodes",
      `On PostgreSQL (15 or newer) the same program runs as any number of equal processes on one database: there is no
leader, and each may be killed at any time. \`ROLE\` says what a process does; each listens on \`PORT\`.`,
      table(
        ["`ROLE`", "callers", "checking, rounds", "listens for"],
        [
          ["`both` (default)", "yes", "yes", "everything"],
          ["`serve`", "yes", "no", "everything"],
          ["`work`", "no", "yes", "`/healthz`, `/readyz`, `/metrics`"],
        ],
      ),
      `Where no node works, what is submitted waits. Each process takes up to \`DATABASE_POOL\` connections (10), and one that
answers callers up to 2 more for its thread for large calls: PostgreSQL's \`max_connections\` has to hold those of all.
\`beckon serve\` waits up to a minute for a PostgreSQL that does not answer yet; other commands do not.`,
      "## Health and stopping",
      table(
        ["path", "what it says"],
        [
          ["`/healthz`", "200: the process lives, even while its database is away. Restart it when it does not answer"],
          [
            "`/readyz`",
            "200: send callers here. 503 with the names of the checks while the database does not answer within 2 seconds, its schema is another version's, or the process is stopping",
          ],
        ],
      ),
      `The first SIGTERM (or Ctrl-C) ends a process in order. From that moment \`/readyz\` is 503, every answer closes its
connection, and no new work is begun. For \`DRAIN_SECONDS\` (0; behind a proxy, the time that it takes to notice) calls are
still taken; then it stops listening, ends open streams, and gives calls in hand 10 seconds and steps in hand 15.
Steps that are not done by then are given back, so that another node takes them at once; but for those in the middle of a
submission, which are free when their lease of a minute has run out. It exits with 0, after
\`DRAIN_SECONDS\` and ${STOP_SECONDS} seconds at most. A node that is killed loses nothing either: others take its steps over
after a minute.`,
      `When a new version brings the database to its schema, nodes of the old one are not ready any more, and none of the
old one starts: let the new ones start before the old ones end.`,
      "## Metrics, logs and traces",
      `\`/metrics\` speaks Prometheus text, or OpenMetrics to who asks for it. It wants \`METRICS_TOKEN\` as a bearer token;
where that is not set, it is there on a loopback \`HOST\` without a proxy only, and 404 elsewhere. No label names an account,
a host or an address.`,
      table(
        ["metric", "of", "what it is"],
        [
          [
            "`beckon_http_request_duration_seconds`",
            "node",
            "requests, by `surface` and `status` (`2xx` … `5xx`, `aborted`)",
          ],
          ["`beckon_step_duration_seconds`", "node", "steps worked on, by `action` and `outcome`"],
          ["`beckon_verdicts_total`", "node", "what verifiers said, by `result`"],
          [
            "`beckon_database_connections`, `…_waiting`, `…_retries_total`",
            "node",
            "PostgreSQL: the pool, and transactions run again",
          ],
          ["`process_…`, `nodejs_…`", "node", "memory, CPU, event-loop lag, garbage collection"],
          ["`beckon_node_info`", "node", "its name, role, database and version"],
          ["`beckon_links`", "database", "links by `state`"],
          [
            "`beckon_steps`, `beckon_steps_oldest_due_seconds`",
            "database",
            "the queue by `action`, and how late its oldest step is",
          ],
          [
            "`beckon_ledger_credits`",
            "database",
            "credits booked since the beginning, by `kind`; spent ones are negative",
          ],
          ["`beckon_orders_open`", "database", "orders that wait for money"],
          [
            "`beckon_provider_calls_total`, `beckon_provider_failures_total`",
            "database",
            "calls of upstreams, by `provider`",
          ],
          [
            "`beckon_totals_age_seconds`, `beckon_totals_failed_total`",
            "node",
            "how old the figures of the database are, and how often they could not be read",
          ],
        ],
      ),
      `Figures of the whole database are the same from every node: take the maximum, not the sum. They are counted when
somebody asks, in portions, at most every 30 seconds (the ledger every 5 minutes) and in a twentieth of the time at most;
what cannot be counted in 10 seconds is left out. Alert on \`beckon_steps_oldest_due_seconds\` over 300.`,
      `Logs are JSON lines on standard error (\`LOG_LEVEL\`); at \`debug\` there is one for each request. Keys, tokens,
passwords, signatures and the values of database statements are taken out. A database that is away is told once, with the
reason, and once when it is back, with how long it took and how many requests were refused; so are traces that cannot be
delivered.`,
      `With \`OTEL_EXPORTER_OTLP_ENDPOINT\`, requests, calls of operations, steps and database transactions are OpenTelemetry
spans, sent as OTLP over HTTP (JSON) to \`/v1/traces\` there; a request with a \`traceparent\` joins its trace.
\`OTEL_EXPORTER_OTLP_HEADERS\` and \`OTEL_TRACES_SAMPLER\` work as OpenTelemetry has them. What runs on the thread for large
calls is one span.`,
      "## Operating",
      "`npm run -s beckon -- COMMAND`; in a container `node dist/src/main.js COMMAND`.",
      table(
        ["command", "what it does"],
        [
          ["`account create`", "an account, with a key if you ask for one (`--help`)"],
          ["`doctor`", "what is failing now"],
          ["`audit`", "proves ledgers, balances, links and counters equal"],
          ["`providers`", "how search engines and services behind them are doing"],
          ["`backup --to FILE`", "a copy of the SQLite database while the service goes on"],
        ],
      ),
      `[Operating](/docs/operating) is about backups, moving to PostgreSQL, reverse proxies, systemd and containers.`,
    ),
  };
}
