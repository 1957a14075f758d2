import { z } from "zod";

const port = z.coerce.number().int().min(0).max(65_535);
const webAddress = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ""));

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
    schema: z.enum(["sandbox"]).default("sandbox"),
    about: "Search engines to use; `sandbox` is the embedded one, which sends nothing anywhere",
  },
  TIME_SCALE: {
    schema: z.coerce.number().min(1).max(1_000_000).optional(),
    about: "Sandbox only: service seconds per real second; kept in the database until changed (first 1)",
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
  readonly timeScale: number | undefined;
  readonly sandboxFaults: string;
  readonly trustProxy: number;
  readonly logLevel: Settings["LOG_LEVEL"];
  readonly apiKey: string | undefined;
  readonly remoteUrl: string | undefined;
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
  return Object.freeze({
    port: s.PORT,
    host: s.HOST,
    siteUrl: s.SITE_URL ?? originOf(s.HOST, s.PORT),
    databaseUrl: s.DATABASE_URL,
    mode: "sandbox" as const,
    timeScale: s.TIME_SCALE,
    sandboxFaults: s.SANDBOX_FAULTS,
    trustProxy: s.TRUST_PROXY,
    logLevel: s.LOG_LEVEL,
    apiKey: s.BECKON_API_KEY,
    remoteUrl: s.BECKON_URL,
  });
}

export function originOf(host: string, port: number): string {
  const name = host === "0.0.0.0" || host === "::" ? "localhost" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}
