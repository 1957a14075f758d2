import { credential, onOff } from "./schemas.ts";
import { privateKeyIn } from "./secrets.ts";

/**
 * The part of the settings table that switches providers on: their credentials, with the providers that each is for, and INDEXNOW. A row of a table of
 * providers names those it needs, and finds their values in ProviderSettings.
 */
export const PROVIDER_SETTINGS = {
  INDEXNOW: {
    schema: onOff.default("on"),
    about: "Notify Bing and Yandex by IndexNow (`indexnow_bing`, `indexnow_yandex`), for verified hosts",
    providers: ["indexnow_bing", "indexnow_yandex"],
  },
  BING_WEBMASTER_KEY: {
    schema: credential,
    about: "API key of Bing Webmaster Tools (`bing_webmaster`)",
    secret: true,
    providers: ["bing_webmaster"],
  },
  YANDEX_WEBMASTER_TOKEN: {
    schema: credential,
    about: "OAuth token of Yandex Webmaster (`yandex_webmaster`)",
    secret: true,
    providers: ["yandex_webmaster"],
  },
  GOOGLE_SERVICE_ACCOUNT: {
    schema: credential,
    about:
      "Key file of one Google service account, as a path or as JSON; enables `search_console`, `url_inspection` and, if ENGINES names it, `indexing_api`",
    secret: privateKeyIn,
    providers: ["search_console", "url_inspection", "indexing_api"],
  },
  GOOGLE_CLIENT_ID: {
    schema: credential,
    about:
      "Id of an OAuth client of Google, by which people connect their own Search Console; `/docs/search-console` says how to make one",
    secret: false,
  },
  GOOGLE_CLIENT_SECRET: {
    schema: credential,
    about: "Secret of that client",
    secret: true,
  },
  SPEEDYINDEX_KEY: {
    schema: credential,
    about: "API key of SpeedyIndex (`speedyindex`), for pages of sites that are not verified",
    secret: true,
    providers: ["speedyindex"],
  },
  RAPID_URL_INDEXER_KEY: {
    schema: credential,
    about: "API key of Rapid URL Indexer (`rapid_url_indexer`), for pages of sites that are not verified",
    secret: true,
    providers: ["rapid_url_indexer"],
  },
  SERPER_KEY: {
    schema: credential,
    about: "API key of Serper (`serper`), which looks pages up in Google",
    secret: true,
    providers: ["serper"],
  },
  DATAFORSEO_LOGIN: {
    schema: credential,
    about: "Login of DataForSEO (`dataforseo`), which looks pages up in Google",
    secret: true,
    providers: ["dataforseo"],
  },
  DATAFORSEO_PASSWORD: { schema: credential, about: "Password of DataForSEO", secret: true, providers: ["dataforseo"] },
  SERPAPI_KEY: {
    schema: credential,
    about: "API key of SerpApi (`serpapi`), which looks pages up in Google",
    secret: true,
    providers: ["serpapi"],
  },
} as const;

export type ProviderSettingName = keyof typeof PROVIDER_SETTINGS;
