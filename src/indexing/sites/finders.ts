import type { Clock } from "../../platform/clock.ts";
import type { Config } from "../../platform/config/config.ts";
import type { HttpClient } from "../../platform/http-client/http-client.ts";
import type { Api } from "../engines/live/api.ts";
import { findSearchConsoleProperties } from "../engines/live/google/properties.ts";
import { findBingSite } from "../engines/live/submit/bing-webmaster.ts";
import { findYandexHost } from "../engines/live/submit/yandex-webmaster.ts";
import { type ConnectionFinder, type ConnectionName, configured } from "./connect.ts";

/** One finder for each provider that has sites in its account and whose credentials are configured. */
export function connectionFinders(parts: {
  config: Config;
  http: HttpClient;
  clock: Clock;
}): readonly ConnectionFinder[] {
  const api: Api = { http: parts.http, clock: parts.clock, settings: parts.config.providers };
  return configured(parts.config).map((name) => ({ name, find: (host) => FINDERS[name](api, host) }));
}

const FINDERS: Readonly<Record<ConnectionName, (api: Api, host: string) => Promise<string | null>>> = {
  search_console: findSearchConsoleProperties,
  bing_webmaster: findBingSite,
  yandex_webmaster: findYandexHost,
};
