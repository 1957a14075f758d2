import { z } from "zod";
import { PACKS as SPECIFIED_PACKS } from "../packs.ts";
import { engines } from "./engines-setting.ts";
import { ISSUER_SETTINGS } from "./issuer-settings.ts";
import { packs } from "./packs-setting.ts";
import { PROVIDER_SETTINGS } from "./provider-settings.ts";
import { PROVIDER_USE_SETTINGS } from "./provider-use-settings.ts";
import { PUBLISHER_SETTINGS } from "./publisher-settings.ts";
import {
  credential,
  databaseUrl,
  decimal,
  evmAddress,
  evmNetwork,
  ipNetworks,
  label,
  names,
  npmPackage,
  oneOf,
  onOff,
  printedLines,
  sandboxFaults,
  secretsKeys,
  siteAddress,
  webAddress,
  webAddresses,
  whole,
} from "./schemas.ts";
import { eachOf, keysIn, keysInList, passwordIn, type SecretFinder } from "./secrets.ts";
import { TRACING_SETTINGS } from "./tracing-settings.ts";

/** A row of the table of settings. */
export interface Setting {
  /** Turns the text of the environment into the value; its refusals say what the text must be. */
  readonly schema: z.ZodType;
  /** Markdown, for the tables of the documentation. */
  readonly about: string;
  /**
   * What logs must not show of it: the whole value, or the parts that a finder returns. `false` where its name suggests
   * a secret and it holds none.
   */
  readonly secret?: boolean | SecretFinder;
}

/** Every environment variable that the service reads. The table in docs/settings.md is generated from this one. */
export const SETTINGS = {
  PORT: { schema: whole(0, 65_535).default(3000), about: "Port to listen on; `0` picks a free one" },
  HOST: { schema: z.string().min(1).default("127.0.0.1"), about: "Address to listen on" },
  SITE_URL: {
    schema: siteAddress.optional(),
    about: "Public address of the service; default `http://HOST:PORT`",
    secret: false,
  },
  DATABASE_URL: {
    schema: databaseUrl.default("file:./data/beckon.db"),
    about:
      "`file:PATH` for SQLite, on one machine; `postgres://USER:PASSWORD@HOST:5432/DATABASE` for PostgreSQL 15 or newer, with any number of nodes; add `?sslmode=verify-full` where the server is on another machine",
    secret: passwordIn,
  },
  DATABASE_POOL: {
    schema: whole(2, 1_000).default(10),
    about: "PostgreSQL: maximum connections per process; the worker thread for large calls opens up to 2 more",
  },
  SQLITE_CHECKPOINTS: {
    schema: onOff.default("on"),
    about:
      "SQLite: `off` leaves it to another program, such as Litestream, to move the write-ahead log into the file; without that program the log grows",
  },
  ROLE: {
    schema: oneOf("both", "serve", "work").default("both"),
    about:
      "`serve` answers requests; `work` runs the checker and the scheduled jobs, and answers only `/healthz`, `/readyz` and `/metrics`; `both` does both",
  },
  NODE_NAME: {
    schema: label.optional(),
    about: "Name of this process among several nodes; default: host name and process id",
  },
  DRAIN_SECONDS: {
    schema: decimal(0, 300).default(0),
    about:
      "Seconds to go on answering after SIGTERM, with `/readyz` at 503, so that load balancers stop sending requests",
  },
  SECRETS_KEY: {
    schema: secretsKeys,
    about:
      "Key that seals secrets in the database which must be read again, such as keys of authenticator apps and links in waiting mail: 32 random bytes in base64 (`openssl rand -base64 32`). To rotate it, put the new key before the old one, `NEW,OLD`, until the command `doctor` finds nothing that the old one sealed. Without it the database keeps sealed texts that nobody can open: keep it apart from backups. A sandbox makes one in the file `secrets-key` beside its database",
    secret: eachOf,
  },
  ENGINES: {
    schema: engines,
    about:
      "`sandbox`: simulated engines that send nothing; `live`: every provider below whose key is set; or names of providers, comma-separated, in order of preference",
  },
  PREFLIGHT: {
    schema: onOff.default("on"),
    about:
      "Live engines only: fetch each page once before submitting it, and return the credits of pages that cannot be indexed",
  },
  ...PROVIDER_SETTINGS,
  ...PROVIDER_USE_SETTINGS,
  FETCH_ALLOW_CIDRS: {
    schema: ipNetworks.prefault(""),
    about: "Private networks that may be fetched from, e.g. `10.1.0.0/16`; by default none",
  },
  FETCH_ALLOW_PORTS: {
    schema: names.prefault("").pipe(z.array(whole(1, 65_535))),
    about: "Ports that may be fetched from besides 80 and 443",
  },
  ...PUBLISHER_SETTINGS,
  SIGNUP: {
    schema: oneOf("open", "invite", "off").default("open"),
    about:
      "`open`: anybody may create an account; `invite`: only people whom an account has invited may sign up, and they join it; `off`: only the command `account create` makes one, whose owner then chooses a password at `/forgot`",
  },
  ...ISSUER_SETTINGS,
  PAYMENTS: {
    schema: onOff.default("on"),
    about:
      "`off`: nothing is sold, on pages or to agents; credits come from the command `credits grant --order`, and people are told to ask at SUPPORT_URL or CONTACT",
  },
  PACKS: {
    schema: packs.default(SPECIFIED_PACKS),
    about:
      'Credits and price of all four packs, as JSON: `{"basic":{"credits":150,"amount_cents":999},"pro":…,"premium":…,"agency":…}`; default: the packs in `docs/payments.md`',
  },
  SELLER: {
    schema: printedLines.optional(),
    about:
      "Who sells the credits, on receipts: name, address, tax number and whatever the law asks for, lines separated by `|`, e.g. `Example Ltd | 1 High Street | London | VAT GB123456789`; default: the host of SITE_URL",
    secret: false,
  },
  CLIENT_PACKAGE: {
    schema: npmPackage.optional(),
    about:
      "npm package of yours that is the client, e.g. `@example/beckon`, which the lines of `/docs/install` name; default: the client that this service serves at `/beckon.tgz`",
  },
  MAIL: {
    schema: z
      .string()
      .regex(/^(console|file:.+|smtps?:\/\/.+)$/, "must be console, file:FOLDER, smtp://… or smtps://…")
      .default("console"),
    about:
      "`console` prints mail; `file:FOLDER` writes each message to an .eml file; `smtp://USER:PASSWORD@HOST:PORT` (STARTTLS) or `smtps://…` sends it",
    secret: passwordIn,
  },
  MAIL_FROM: {
    schema: z
      .string()
      .max(320, "must be an address")
      .regex(/^(?:[^<>]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/, "must be an address, such as hello@example.com")
      .optional(),
    about: "Sender of mail, e.g. `Beckon <hello@example.com>`; default: `beckon@` and the host of SITE_URL",
  },
  CLIENT_DOCUMENTS: {
    schema: onOff.default("on"),
    about: "Accept Client ID Metadata Documents",
  },
  REFRESH_OVERLAP_SECONDS: {
    schema: whole(0, 60).default(0),
    about:
      "Seconds in which an app that presents a used refresh token again gets the same next one, for apps that lose an answer or renew in several processes at once; `0`: any second use disconnects the app",
  },
  STRIPE_SECRET_KEY: {
    schema: z
      .string()
      .regex(/^[rs]k_(test|live)_\w+$/, "must be a key that begins sk_test_, rk_test_, sk_live_ or rk_live_")
      .optional(),
    about: "Stripe secret key, for card payments; without it, the sandbox has a payment page of its own",
    secret: true,
  },
  STRIPE_WEBHOOK_SECRET: {
    schema: credential.refine(
      (secret) => !/^[rsp]k_/.test(secret ?? ""),
      "must be the signing secret of the endpoint, not a key",
    ),
    about: "Signing secret (`whsec_…`) of the Stripe webhook endpoint `/webhooks/stripe`",
    secret: true,
  },
  STRIPE_TAX: {
    schema: onOff.default("off"),
    about:
      "`on`: Stripe works out the tax that the price contains (Stripe Tax, set up in Stripe's dashboard), and receipts show it; prices stay as they are",
  },
  X402_NETWORK: {
    schema: evmNetwork.optional(),
    about:
      "Chain for direct payment, in CAIP-2 form, e.g. `eip155:8453` for Base; requires X402_ASSET, X402_PAY_TO, X402_RPC_URL and X402_FACILITATOR_URL",
  },
  X402_ALLOW_TEST_NETWORK: {
    schema: evmNetwork.optional(),
    about:
      "Lets a live (staging) service use a test network: the network, as X402_NETWORK names it, e.g. `eip155:84532`. Orders that are paid there have `livemode: false`",
  },
  X402_ASSET: {
    schema: evmAddress.optional(),
    about: "Contract address of a dollar token with six decimals and EIP-3009",
  },
  X402_PAY_TO: { schema: evmAddress.optional(), about: "Address that receives the payments" },
  X402_RPC_URL: {
    schema: webAddresses.optional(),
    about:
      "JSON-RPC endpoint of a node of the chain, which shows what was paid; several, comma-separated, where one may fail: of three or more, a majority has to agree before credits are given or taken back",
    secret: keysInList,
  },
  X402_FACILITATOR_URL: {
    schema: webAddress.optional(),
    about:
      "Facilitator of x402 version 2, which settles the payments and pays their gas: one that you host, or somebody else's",
    secret: keysIn,
  },
  X402_CONFIRMATIONS: {
    schema: whole(1, 100).default(1),
    about: "Blocks a payment needs, its own included, before its credits are given",
  },
  TIME_SCALE: {
    schema: decimal(1, 1_000_000).optional(),
    about:
      "Sandbox only: how many times faster than real time the service clock runs; kept in the database until changed, 1 at first",
  },
  BECKON_ALLOW_SANDBOX: {
    schema: names.prefault("").pipe(z.array(oneOf("payment", "engines", "mail", "clock"))),
    about: "Sandbox features allowed in a live (staging) service: `payment`, `engines`, `mail`, `clock`",
  },
  SANDBOX_FAULTS: {
    schema: sandboxFaults.prefault(""),
    about:
      "Sandbox only: faults to simulate, comma-separated (`timeout`, `rate_limit`, `quota`, `server_error`, `outage`)",
  },
  TRUST_PROXY: {
    schema: whole(0, 10).default(0),
    about: "Number of reverse proxies in front of the service",
  },
  LOG_LEVEL: {
    schema: oneOf("debug", "info", "warn", "error", "silent").default("info"),
    about: "Lowest severity that is logged, as JSON lines on standard error",
  },
  METRICS_TOKEN: {
    schema: z
      .string()
      .min(16, "must have 16 characters or more")
      .regex(/^[\w.~+/=-]+$/, "must be what a bearer token may be")
      .optional(),
    about:
      "Bearer token that `/metrics` requires; without one, `/metrics` answers only on a loopback HOST with no proxy in front",
    secret: true,
  },
  ...TRACING_SETTINGS,
  BECKON_API_KEY: {
    schema: z.string().optional(),
    about: "Credential for the commands `mcp` and `listen`",
    secret: true,
  },
  BECKON_URL: {
    schema: webAddress.optional(),
    about: "Address of the service that the commands `mcp` and `listen` call; default: this machine's",
    secret: keysIn,
  },
} as const satisfies Readonly<Record<string, Setting>>;

export type Settings = { [K in keyof typeof SETTINGS]: z.output<(typeof SETTINGS)[K]["schema"]> };
