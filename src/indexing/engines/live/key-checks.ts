import type { FailureKind } from "../../providers/failure.ts";
import { UpstreamFailure } from "../../providers/failure.ts";
import { type Api, ask, baseOf, failureOf, jsonOf, objectIn } from "./api.ts";
import { findSearchConsoleProperties } from "./google/properties.ts";
import { LOOKUP_PROVIDERS } from "./lookup/index.ts";
import { tryGoogleClient } from "./own/google-oauth.ts";
import { namesOf } from "./providers.ts";
import { type Provider, selectProviders } from "./selection.ts";
import { bingSites } from "./submit/bing-webmaster.ts";
import { SUBMISSION_PROVIDERS } from "./submit/index.ts";
import { pathOfUser } from "./submit/yandex-webmaster.ts";

/** What the call of a provider that costs nothing says of the credential. */
export interface KeyCheck {
  readonly provider: string;
  /** The settings that hold it. */
  readonly settings: readonly string[];
  /** Null: the provider takes it. */
  readonly failure: FailureKind | null;
  /** What is left to spend, in the provider's own unit; null where it does not say. */
  readonly left: number | null;
}

/** Makes the call. @returns what is left to spend @throws UpstreamFailure */
type Call = (api: Api) => Promise<number | null>;

/** The call of each provider with a credential that costs nothing and changes nothing. */
const CALLS: Readonly<Record<string, Call>> = {
  bing_webmaster: (api) => bingSites(api, api.settings.BING_WEBMASTER_KEY!).then(() => null),
  yandex_webmaster: (api) => pathOfUser(api, api.settings.YANDEX_WEBMASTER_TOKEN!)().then(() => null),
  search_console: googleSites,
  url_inspection: googleSites,
  indexing_api: googleSites,
  google_oauth: tryGoogleClient,
  speedyindex: speedyAccount,
  rapid_url_indexer: rapidBalance,
  serper: serperAccount,
  dataforseo: dataforseoUser,
  serpapi: serpapiAccount,
};

/** Tries the credential of every provider that is used, all at once; providers that share one are tried once. */
export async function tryKeys(api: Api, engines: readonly string[]): Promise<KeyCheck[]> {
  const names = namesOf(engines);
  const used = new Map<string, { provider: string; settings: readonly string[] }>();
  for (const table of [SUBMISSION_PROVIDERS, LOOKUP_PROVIDERS] as Readonly<Record<string, Provider>>[])
    for (const row of selectProviders(table, names, api.settings)) {
      const provider = Object.keys(table).find((name) => table[name] === row)!;
      const { settings } = row;
      if (CALLS[provider] && !used.has(settings.join())) used.set(settings.join(), { provider, settings });
    }
  const { GOOGLE_CLIENT_ID: id, GOOGLE_CLIENT_SECRET: secret } = api.settings;
  // One without the other is refused by Google, which says that something is missing.
  if (id !== undefined || secret !== undefined)
    used.set("google", { provider: "google_oauth", settings: ["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"] });
  return Promise.all([...used.values()].map((one) => tryKey(api, one)));
}

async function tryKey(api: Api, one: Pick<KeyCheck, "provider" | "settings">): Promise<KeyCheck> {
  try {
    return { ...one, failure: null, left: await CALLS[one.provider]!(api) };
  } catch (thrown) {
    if (!(thrown instanceof UpstreamFailure)) throw thrown;
    return { ...one, failure: thrown.kind, left: thrown.left ?? null };
  }
}

/** A token, and the list of sites, which also shows whether the API is enabled. */
async function googleSites(api: Api): Promise<null> {
  await findSearchConsoleProperties(api, "example.com");
  return null;
}

async function speedyAccount(api: Api): Promise<number | null> {
  const headers = { Authorization: api.settings.SPEEDYINDEX_KEY! };
  const url = `${baseOf(api, "speedyindex", "https://api.speedyindex.com")}/v2/account`;
  const { balance } = await answered(api, "speedyindex", { url, headers });
  return numberIn(Object(balance).indexer);
}

async function rapidBalance(api: Api): Promise<number | null> {
  const headers = { "X-API-Key": api.settings.RAPID_URL_INDEXER_KEY!, Accept: "application/json" };
  const url = `${baseOf(api, "rapid_url_indexer", "https://rapidurlindexer.com")}/wp-json/api/v1/credits/balance`;
  return numberIn((await answered(api, "rapid_url_indexer", { url, headers })).credits);
}

/** Serper's own dashboard reads it; its documentation does not name it. */
async function serperAccount(api: Api): Promise<number | null> {
  const headers = { "X-API-KEY": api.settings.SERPER_KEY! };
  const url = `${baseOf(api, "serper", "https://google.serper.dev")}/account`;
  return numberIn((await answered(api, "serper", { url, headers })).balance);
}

/** https://serpapi.com/account-api: not counted as a search. */
async function serpapiAccount(api: Api): Promise<number | null> {
  const query = new URLSearchParams({ api_key: api.settings.SERPAPI_KEY! });
  const url = `${baseOf(api, "serpapi", "https://serpapi.com")}/account.json?${query}`;
  const { total_searches_left: left } = await answered(api, "serpapi", { url, headers: {} });
  return numberIn(left);
}

/** https://docs.dataforseo.com/v3/appendix/user_data: free. */
async function dataforseoUser(api: Api): Promise<number | null> {
  const { DATAFORSEO_LOGIN: login, DATAFORSEO_PASSWORD: password } = api.settings;
  const headers = { Authorization: `Basic ${Buffer.from(`${login}:${password}`).toString("base64")}` };
  const url = `${baseOf(api, "dataforseo", "https://api.dataforseo.com")}/v3/appendix/user_data`;
  const { status_code: code, tasks } = await answered(api, "dataforseo", { url, headers });
  // An answer with HTTP 200 may hold a refusal of the credential.
  if (code !== 20_000) throw new UpstreamFailure("dataforseo", code === 40_100 ? "unauthorized" : "bad_answer");
  const [task] = Array.isArray(tasks) ? tasks : [];
  return numberIn(Object(Object(Object(Object(task).result)[0]).money).balance);
}

/** The object that a provider answers with 200. @throws UpstreamFailure */
async function answered(
  api: Api,
  provider: string,
  call: { url: string; headers: Readonly<Record<string, string>> },
): Promise<Record<string, unknown>> {
  const answer = await ask(api, provider, { method: "GET", ...call });
  if (answer.status !== 200) throw failureOf(api, provider, answer);
  jsonOf(provider, answer);
  return objectIn(answer);
}

function numberIn(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}
