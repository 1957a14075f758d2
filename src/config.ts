import { z } from "zod";

const port = z.coerce.number().int().min(0).max(65_535);
const webAddress = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ""));
const onOff = z.enum(["on", "off"]);
const secret = z.string().min(1).optional();
const names = z.string().transform((text) =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== ""),
);

/** `name=value,name=value` */
function byName<T>(value: z.ZodType<T, string>) {
  const form = "must be NAME=VALUE, comma-separated";
  // No value is not 0: it would make a provider free, or shut it off.
  const named = z.tuple([z.string().regex(/^[a-z_]+$/, form), z.string().min(1, form).pipe(value)]);
  return names
    .prefault("")
    .transform((parts) =>
      parts.map((part): [string, string] => {
        const equals = part.indexOf("=");
        return [part.slice(0, equals).trim(), part.slice(equals + 1).trim()];
      }),
    )
    .pipe(z.array(named))
    .transform((pairs) => Object.fromEntries(pairs) as Readonly<Record<string, T>>);
}

/** The environment, and the only place that reads it. The README's table is generated from this one. */
export const SETTINGS = {
  PORT: { schema: port.default(3000), about: "Port to listen on; 0 takes a free one" },
  HOST: { schema: z.string().min(1).default("127.0.0.1"), about: "Address to listen on" },
  SITE_URL: { schema: webAddress.optional(), about: "Public address of the service; default `http://HOST:PORT`" },
  DATABASE_URL: {
    schema: z.string().min(1).default("file:./data/beckon.db"),
    about: "`file:` path of the SQLite database",
  },
  ENGINES: {
    schema: names.prefault("sandbox"),
    about:
      "`sandbox`: the embedded engines, which send nothing anywhere. `live`: every provider below that has its key. Or the names of providers, comma-separated, in order of preference",
  },
  PREFLIGHT: {
    schema: onOff.default("on"),
    about: "Live engines only: fetch each page once before it is sent, and give the credits of dead ones back",
  },
  INDEXNOW: {
    schema: onOff.default("on"),
    about: "IndexNow for Bing and Yandex (`indexnow_bing`, `indexnow_yandex`), for hosts that an account has verified",
  },
  BING_WEBMASTER_KEY: { schema: secret, about: "API key of Bing Webmaster Tools (`bing_webmaster`)" },
  YANDEX_WEBMASTER_TOKEN: { schema: secret, about: "OAuth token of Yandex Webmaster (`yandex_webmaster`)" },
  GOOGLE_SERVICE_ACCOUNT: {
    schema: secret,
    about:
      "Key file of one Google service account, as a path or as JSON: `search_console`, `url_inspection` and, when ENGINES names it, `indexing_api`",
  },
  SPEEDYINDEX_KEY: { schema: secret, about: "API key of SpeedyIndex (`speedyindex`), for pages nobody here owns" },
  RAPID_URL_INDEXER_KEY: {
    schema: secret,
    about: "API key of Rapid URL Indexer (`rapid_url_indexer`), for pages nobody here owns",
  },
  SERPER_KEY: { schema: secret, about: "API key of Serper (`serper`), which looks pages up in Google" },
  DATAFORSEO_LOGIN: { schema: secret, about: "Login of DataForSEO (`dataforseo`), likewise" },
  DATAFORSEO_PASSWORD: { schema: secret, about: "Its password" },
  SERPAPI_KEY: { schema: secret, about: "API key of SerpApi (`serpapi`), likewise" },
  CANARY_URLS: {
    schema: names.prefault("https://www.wikipedia.org/,https://www.iana.org/").pipe(z.array(z.url()).min(1)),
    about: "Pages that Google surely has: a look-up that does not find them counts for nothing",
  },
  PROVIDER_BUDGETS: {
    schema: byName(z.coerce.number<string>().int().min(0)),
    about: "Most units a day by provider, e.g. `serper=5000,speedyindex=20000`; beside the provider's own quota",
  },
  PROVIDER_PRICES: {
    schema: byName(z.coerce.number<string>().min(0)),
    about: "Dollars per unit by provider, in place of list prices, for `beckon providers`, e.g. `serper=0.001`",
  },
  PROVIDER_URLS: {
    schema: byName(webAddress),
    about:
      "Other addresses of providers' APIs, e.g. `serper=http://127.0.0.1:4010/serper`; `npm run fakes` prints some",
  },
  FETCH_ALLOW_CIDRS: {
    schema: names.prefault(""),
    about: "Networks that may be fetched from although they are not public, e.g. `10.1.0.0/16`; empty: none",
  },
  FETCH_ALLOW_PORTS: {
    schema: names.prefault("").pipe(z.array(z.coerce.number<string>().int().min(1).max(65_535))),
    about: "Ports that may be fetched from beside 80 and 443",
  },
  CONTACT: {
    schema: z
      .string()
      .max(200)
      .regex(/^[\x21-\x7e]*$/, "one word of printable ASCII")
      .optional(),
    about: "E-mail address or page named in our User-Agent; default: `/bot` of SITE_URL",
  },
  MAIL: {
    schema: z
      .string()
      .regex(/^(console|file:.+|smtps?:\/\/.+)$/, "must be console, file:FOLDER, smtp://… or smtps://…")
      .default("console"),
    about:
      "How mail leaves: `console` prints it, `file:FOLDER` writes each message as an .eml file, `smtp://user:password@host:port` (STARTTLS) or `smtps://…` sends it",
  },
  MAIL_FROM: {
    schema: z.string().min(3).max(320).optional(),
    about: "Sender of mail, e.g. `Beckon <hello@example.com>`; default: `beckon@` and the host of SITE_URL",
  },
  CLIENT_DOCUMENTS: {
    schema: onOff.default("on"),
    about: "Whether apps may be known by a document of theirs (client ID metadata documents), which is fetched",
  },
  TIME_SCALE: {
    schema: z.coerce.number().min(1).max(1_000_000).optional(),
    about: "Sandbox only: service seconds per real second; kept in the database until changed (first 1)",
  },
  BECKON_ALLOW_SANDBOX: {
    schema: names.prefault("").pipe(z.array(z.enum(["payment", "engines", "mail", "clock"]))),
    about:
      "What of the sandbox a live service may use all the same, for staging: `payment`, `engines`, `mail`, `clock`",
  },
  SANDBOX_FAULTS: {
    schema: z.string().default(""),
    about: "Sandbox only: faults to show, comma-separated (`timeout`, `rate_limit`, `quota`, `server_error`, `outage`)",
  },
  TRUST_PROXY: {
    schema: z.coerce.number().int().min(0).max(10).default(0),
    about: "Reverse proxies in front of the service",
  },
  LOG_LEVEL: {
    schema: z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
    about: "Least severity that is logged, as JSON lines on standard error",
  },
  BECKON_API_KEY: { schema: z.string().optional(), about: "Credential of `beckon mcp`" },
  BECKON_URL: {
    schema: webAddress.optional(),
    about: "Service that `beckon mcp` forwards to, instead of the local database",
  },
} as const;

type Settings = { [K in keyof typeof SETTINGS]: z.output<(typeof SETTINGS)[K]["schema"]> };

export interface Config {
  readonly port: number;
  readonly host: string;
  /** Public origin, without a trailing slash. */
  readonly siteUrl: string;
  readonly databaseUrl: string;
  /** What the database is stamped with; the two never mix (decisions.md rule 17). */
  readonly mode: "sandbox" | "live";
  /** `sandbox`, `live`, or names of providers in order of preference. */
  readonly engines: readonly string[];
  /** Whether pages are looked at before they are sent. */
  readonly preflight: boolean;
  readonly providers: ProviderSettings;
  readonly fetchAllowCidrs: readonly string[];
  readonly fetchAllowPorts: readonly number[];
  readonly contact: string | undefined;
  readonly mail: string;
  readonly mailFrom: string | undefined;
  /** Whether client ID metadata documents are fetched. */
  readonly clientDocuments: boolean;
  readonly allowSandbox: Settings["BECKON_ALLOW_SANDBOX"];
  readonly timeScale: number | undefined;
  readonly sandboxFaults: string;
  readonly trustProxy: number;
  readonly logLevel: Settings["LOG_LEVEL"];
  readonly apiKey: string | undefined;
  readonly remoteUrl: string | undefined;
}

/** Credentials and limits of the search engines and services behind them. */
export interface ProviderSettings {
  readonly indexnow: boolean;
  readonly bingWebmasterKey: string | undefined;
  readonly yandexWebmasterToken: string | undefined;
  /** A path, or the JSON itself. */
  readonly googleServiceAccount: string | undefined;
  readonly speedyindexKey: string | undefined;
  readonly rapidUrlIndexerKey: string | undefined;
  readonly serperKey: string | undefined;
  readonly dataforseo: { readonly login: string; readonly password: string } | undefined;
  readonly serpapiKey: string | undefined;
  readonly canaryUrls: readonly string[];
  /** Units a day. */
  readonly budgets: Readonly<Record<string, number>>;
  /** Dollars a unit. */
  readonly prices: Readonly<Record<string, number>>;
  /** Addresses of APIs that stand in for the provider's own. */
  readonly urls: Readonly<Record<string, string>>;
}

/** Reads the settings. @throws Error naming every setting that is wrong. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const values: Record<string, unknown> = {};
  const wrong: string[] = [];
  for (const [name, { schema }] of Object.entries(SETTINGS)) {
    const parsed = schema.safeParse(env[name] === "" ? undefined : env[name]);
    if (parsed.success) values[name] = parsed.data;
    else wrong.push(`${name}: ${parsed.error.issues[0]?.message}`);
  }
  if (wrong.length > 0) throw new Error(`Settings that cannot be used:\n  ${wrong.join("\n  ")}`);
  const s = values as Settings;
  const mode = s.ENGINES.length === 1 && s.ENGINES[0] === "sandbox" ? "sandbox" : "live";
  refuseMixture(s, mode);
  return Object.freeze({
    port: s.PORT,
    host: s.HOST,
    siteUrl: s.SITE_URL ?? originOf(s.HOST, s.PORT),
    databaseUrl: s.DATABASE_URL,
    mode,
    engines: s.ENGINES,
    preflight: mode === "live" && s.PREFLIGHT === "on",
    providers: providerSettings(s),
    fetchAllowCidrs: s.FETCH_ALLOW_CIDRS,
    fetchAllowPorts: s.FETCH_ALLOW_PORTS,
    contact: s.CONTACT,
    mail: s.MAIL,
    mailFrom: s.MAIL_FROM,
    clientDocuments: s.CLIENT_DOCUMENTS === "on",
    allowSandbox: s.BECKON_ALLOW_SANDBOX,
    timeScale: s.TIME_SCALE,
    sandboxFaults: s.SANDBOX_FAULTS,
    trustProxy: s.TRUST_PROXY,
    logLevel: s.LOG_LEVEL,
    apiKey: s.BECKON_API_KEY,
    remoteUrl: s.BECKON_URL,
  });
}

function providerSettings(s: Settings): ProviderSettings {
  const login = s.DATAFORSEO_LOGIN;
  const password = s.DATAFORSEO_PASSWORD;
  return {
    indexnow: s.INDEXNOW === "on",
    bingWebmasterKey: s.BING_WEBMASTER_KEY,
    yandexWebmasterToken: s.YANDEX_WEBMASTER_TOKEN,
    googleServiceAccount: s.GOOGLE_SERVICE_ACCOUNT,
    speedyindexKey: s.SPEEDYINDEX_KEY,
    rapidUrlIndexerKey: s.RAPID_URL_INDEXER_KEY,
    serperKey: s.SERPER_KEY,
    dataforseo: login !== undefined && password !== undefined ? { login, password } : undefined,
    serpapiKey: s.SERPAPI_KEY,
    canaryUrls: s.CANARY_URLS,
    budgets: s.PROVIDER_BUDGETS,
    prices: s.PROVIDER_PRICES,
    urls: s.PROVIDER_URLS,
  };
}

/** What of the sandbox a live service must not have (decisions.md rule 17). @throws Error naming the settings */
function refuseMixture(s: Settings, mode: Config["mode"]): void {
  const wrong: string[] = [];
  if (mode === "sandbox") {
    if (s.BECKON_ALLOW_SANDBOX.length > 0) wrong.push("BECKON_ALLOW_SANDBOX: only a live service has a use for it");
  } else {
    if (s.ENGINES.includes("sandbox")) wrong.push("ENGINES: sandbox and real engines never mix");
    if (!s.SITE_URL?.startsWith("https://")) wrong.push("SITE_URL: a live service needs its public https address");
    if (s.TIME_SCALE !== undefined && s.TIME_SCALE !== 1 && !s.BECKON_ALLOW_SANDBOX.includes("clock"))
      wrong.push("TIME_SCALE: a live service runs on real time (BECKON_ALLOW_SANDBOX=clock for staging)");
    if (s.MAIL === "console" && !s.BECKON_ALLOW_SANDBOX.includes("mail"))
      wrong.push("MAIL: a live service has to send mail, or write it to files (BECKON_ALLOW_SANDBOX=mail for staging)");
    if (s.SANDBOX_FAULTS !== "") wrong.push("SANDBOX_FAULTS: only the sandbox has faults at will");
  }
  if (wrong.length > 0) throw new Error(`Settings that do not go together:\n  ${wrong.join("\n  ")}`);
}

export function originOf(host: string, port: number): string {
  const name = host === "0.0.0.0" || host === "::" ? "localhost" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}
