import { hostname } from "node:os";
import type { Pack } from "../packs.ts";
import { type IssuerSettings, issuerProblems, issuerSettings } from "./issuer.ts";
import { misplacedSecrets } from "./misplaced-secrets.ts";
import { type MisspeltSetting, misspeltSettings } from "./misspelt-settings.ts";
import { type PaymentSettings, paymentProblems, paymentSettings } from "./payment.ts";
import { providerProblems } from "./provider-problems.ts";
import { PROVIDER_SETTINGS, type ProviderSettingName } from "./provider-settings.ts";
import { removedProblems } from "./removed-settings.ts";
import { SETTINGS, type Setting, type Settings } from "./settings.ts";

export { SETTINGS };

export interface Config extends PaymentSettings {
  readonly port: number;
  readonly host: string;
  /** Public origin, without a trailing slash. */
  readonly siteUrl: string;
  readonly databaseUrl: string;
  /** Maximum connections of this process to PostgreSQL. */
  readonly databasePool: number;
  /** Whether this process moves SQLite's write-ahead log into the file. */
  readonly checkpoints: boolean;
  readonly role: Settings["ROLE"];
  /** SECRETS_KEY, the one that seals first; use `secretBoxOf`. */
  readonly secretsKeys: readonly string[];
  /** Name of this process among those that share the database. */
  readonly nodeName: string;
  /** How long a stopping process goes on answering. */
  readonly drainMs: number;
  /** Recorded in the database, which is never used in the other mode (docs/rules.md rule 17). */
  readonly mode: "sandbox" | "live";
  /** `sandbox`, `live`, or names of providers in order of preference. */
  readonly engines: readonly string[];
  /** Whether pages are fetched before they are submitted. */
  readonly preflight: boolean;
  /** Pages that strangers may have looked up in Google. */
  readonly freeLookupsPerDay: number;
  readonly providers: ProviderSettings;
  readonly fetchAllowCidrs: readonly string[];
  readonly fetchAllowPorts: readonly number[];
  readonly contact: string | undefined;
  /** The token of OpenAI's plugin directory. */
  readonly openaiAppsChallenge: string | undefined;
  /** Pages of the operator that take the place of ours at `/privacy`, `/terms` and `/support`. */
  readonly policies: Readonly<Record<"privacy" | "terms" | "support", string | undefined>>;
  /** Whether strangers may create accounts. */
  readonly signUp: Settings["SIGNUP"];
  /** The issuer of OpenID Connect by which people may sign in; undefined: there is none. */
  readonly issuer: IssuerSettings | undefined;
  /** Whether people may sign in by what this service itself knows of them: password, passkey, mailed link. */
  readonly localSignIn: boolean;
  /** False: nothing is sold, and the operator grants credits. */
  readonly isSelling: boolean;
  /** What is sold, in the order in which it is shown. */
  readonly packs: readonly Pack[];
  /** Lines that name the seller on receipts. */
  readonly seller: readonly string[];
  /** The operator's npm package of the client. */
  readonly clientPackage: string | undefined;
  readonly mail: string;
  readonly mailFrom: string | undefined;
  /** Whether client ID metadata documents are fetched. */
  readonly clientDocuments: boolean;
  /** How long after its use a refresh token may be presented again. */
  readonly refreshOverlapMs: number;
  readonly allowSandbox: Settings["BECKON_ALLOW_SANDBOX"];
  readonly timeScale: number | undefined;
  readonly sandboxFaults: Settings["SANDBOX_FAULTS"];
  readonly trustProxy: number;
  readonly logLevel: Settings["LOG_LEVEL"];
  readonly metricsToken: string | undefined;
  /** The collector of traces; undefined: no traces are made. */
  readonly tracing: TracingSettings | undefined;
  readonly apiKey: string | undefined;
  readonly remoteUrl: string | undefined;
  /** Variables that look like settings and are none. */
  readonly misspelt: readonly MisspeltSetting[];
  /** Every secret in the settings; logs show none of them. */
  readonly secrets: readonly string[];
}

/** The collector of traces, and which of them are recorded. */
export interface TracingSettings {
  readonly endpoint: string;
  readonly serviceName: string;
  readonly sampler: Settings["OTEL_TRACES_SAMPLER"];
  /** From 0 to 1, for the samplers by ratio. */
  readonly sampledShare: number;
}

/** Credentials of providers by the name of their setting, and what limits the providers. */
export interface ProviderSettings extends Pick<Settings, ProviderSettingName> {
  readonly canaryUrls: readonly string[];
  /** Units a day. */
  readonly budgets: Readonly<Record<string, number>>;
  /** Dollars a unit. */
  readonly prices: Readonly<Record<string, number>>;
  /** Base URLs to use instead of the providers' own. */
  readonly urls: Readonly<Record<string, string>>;
}

/** Reads the settings; an empty value counts as not set. @throws Error naming every setting that is wrong */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const values: Record<string, unknown> = {};
  const wrong = removedProblems(env);
  for (const [name, { schema }] of Object.entries(SETTINGS)) {
    const parsed = schema.safeParse(env[name]?.trim() === "" ? undefined : env[name]);
    if (parsed.success) values[name] = parsed.data;
    else wrong.push(`${name}: ${parsed.error.issues[0]?.message}`);
  }
  wrong.push(...misplacedSecrets(env, secretsOf(env)));
  if (wrong.length > 0) throw new Error(`Invalid settings:\n  ${wrong.join("\n  ")}`);
  const s = values as Settings;
  const mode = s.ENGINES.length === 1 && s.ENGINES[0] === "sandbox" ? "sandbox" : "live";
  refuseContradictions(s, mode);
  const siteUrl = s.SITE_URL ?? originOf(s.HOST, s.PORT);
  return Object.freeze({
    port: s.PORT,
    host: s.HOST,
    siteUrl,
    databaseUrl: s.DATABASE_URL,
    databasePool: s.DATABASE_POOL,
    checkpoints: s.SQLITE_CHECKPOINTS === "on",
    role: s.ROLE,
    secretsKeys: s.SECRETS_KEY,
    nodeName: s.NODE_NAME ?? `${hostname()}:${process.pid}`,
    drainMs: s.DRAIN_SECONDS * 1000,
    mode,
    engines: s.ENGINES,
    preflight: mode === "live" && s.PREFLIGHT === "on",
    freeLookupsPerDay: s.FREE_LOOKUPS_PER_DAY,
    providers: providerSettings(s),
    fetchAllowCidrs: s.FETCH_ALLOW_CIDRS,
    fetchAllowPorts: s.FETCH_ALLOW_PORTS,
    contact: s.CONTACT,
    openaiAppsChallenge: s.OPENAI_APPS_CHALLENGE,
    policies: { privacy: s.PRIVACY_URL, terms: s.TERMS_URL, support: s.SUPPORT_URL },
    signUp: s.SIGNUP,
    issuer: issuerSettings(s),
    localSignIn: s.LOCAL_SIGN_IN === "on",
    isSelling: s.PAYMENTS === "on",
    packs: s.PACKS,
    seller: s.SELLER ?? [new URL(siteUrl).host],
    clientPackage: s.CLIENT_PACKAGE,
    mail: s.MAIL,
    mailFrom: s.MAIL_FROM,
    clientDocuments: s.CLIENT_DOCUMENTS === "on",
    refreshOverlapMs: s.REFRESH_OVERLAP_SECONDS * 1000,
    ...paymentSettings(s, mode),
    allowSandbox: s.BECKON_ALLOW_SANDBOX,
    timeScale: s.TIME_SCALE,
    sandboxFaults: s.SANDBOX_FAULTS,
    trustProxy: s.TRUST_PROXY,
    logLevel: s.LOG_LEVEL,
    metricsToken: s.METRICS_TOKEN,
    tracing: tracingOf(s),
    apiKey: s.BECKON_API_KEY,
    remoteUrl: s.BECKON_URL,
    misspelt: misspeltSettings(env, Object.keys(SETTINGS)),
    secrets: secretsOf(env),
  });
}

function secretsOf(env: NodeJS.ProcessEnv): readonly string[] {
  const rows: Readonly<Record<string, Setting>> = SETTINGS;
  return Object.entries(rows).flatMap(([name, { secret }]) => {
    const value = env[name]?.trim() ?? "";
    if (value === "" || !secret) return [];
    return secret === true ? [value] : secret(value);
  });
}

function tracingOf(s: Settings): TracingSettings | undefined {
  if (s.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return undefined;
  return {
    endpoint: s.OTEL_EXPORTER_OTLP_ENDPOINT,
    serviceName: s.OTEL_SERVICE_NAME,
    sampler: s.OTEL_TRACES_SAMPLER,
    sampledShare: s.OTEL_TRACES_SAMPLER_ARG,
  };
}

function providerSettings(s: Settings): ProviderSettings {
  const names = Object.keys(PROVIDER_SETTINGS) as ProviderSettingName[];
  const own = Object.fromEntries(names.map((name) => [name, s[name]])) as Pick<Settings, ProviderSettingName>;
  return {
    ...own,
    canaryUrls: s.CANARY_URLS,
    budgets: s.PROVIDER_BUDGETS,
    prices: s.PROVIDER_PRICES,
    urls: s.PROVIDER_URLS,
  };
}

/** Sandbox and live never mix (docs/rules.md rule 17). @throws Error naming the settings that contradict each other */
function refuseContradictions(s: Settings, mode: Config["mode"]): void {
  const wrong: string[] = [];
  if (mode === "sandbox") {
    if (s.BECKON_ALLOW_SANDBOX.length > 0) wrong.push("BECKON_ALLOW_SANDBOX: applies to a live service only");
  } else {
    if (!s.SITE_URL?.startsWith("https://")) wrong.push("SITE_URL: a live service needs its public https address");
    if (s.TIME_SCALE !== undefined && s.TIME_SCALE !== 1 && !s.BECKON_ALLOW_SANDBOX.includes("clock"))
      wrong.push("TIME_SCALE: a live service runs on real time (BECKON_ALLOW_SANDBOX=clock for staging)");
    if (s.MAIL === "console" && !s.BECKON_ALLOW_SANDBOX.includes("mail"))
      wrong.push("MAIL: a live service must send mail, or write it to files (BECKON_ALLOW_SANDBOX=mail for staging)");
    if (s.SECRETS_KEY.length === 0)
      wrong.push("SECRETS_KEY: a live service needs a key of its own, such as `openssl rand -base64 32` makes");
    if (s.SANDBOX_FAULTS.length > 0) wrong.push("SANDBOX_FAULTS: only a sandbox can simulate faults");
  }
  wrong.push(...providerProblems(s), ...paymentProblems(s, mode), ...issuerProblems(s, mode));
  if (wrong.length > 0) throw new Error(`Settings that contradict each other:\n  ${wrong.join("\n  ")}`);
}

/** The origin of a service on this machine. It is `localhost` rather than 127.0.0.1, since an IP address can have no passkeys. */
export function originOf(host: string, port: number): string {
  const name = ["0.0.0.0", "::", "127.0.0.1"].includes(host) ? "localhost" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

/** Where people ask the operator: SUPPORT_URL or CONTACT, else the page that says how to reach whoever runs the service. */
export function askAt({ policies, contact, siteUrl }: Pick<Config, "policies" | "contact" | "siteUrl">): string {
  return policies.support ?? contact ?? `${siteUrl}/support`;
}
