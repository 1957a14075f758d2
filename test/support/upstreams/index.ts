import { bingWebmaster } from "./bing-webmaster.ts";
import { dataforseo } from "./dataforseo.ts";
import type { Fake } from "./fake.ts";
import { google } from "./google.ts";
import { googleConsent } from "./google-consent.ts";
import { indexNow } from "./indexnow.ts";
import { rapidUrlIndexer } from "./rapid-url-indexer.ts";
import { serpapi } from "./serpapi.ts";
import { serper } from "./serper.ts";
import { speedyIndex } from "./speedyindex.ts";
import { stripe } from "./stripe.ts";
import { yandexWebmaster } from "./yandex-webmaster.ts";

/** The fakes of all providers. */
export const FAKES: readonly Fake[] = [
  indexNow,
  bingWebmaster,
  yandexWebmaster,
  google,
  googleConsent,
  speedyIndex,
  rapidUrlIndexer,
  serper,
  dataforseo,
  serpapi,
  stripe,
];
