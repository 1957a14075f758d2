import { agentCards } from "../../a2a/card/variants.ts";
import { openApiDocument } from "../../rest/openapi.ts";
import type { Services } from "../contract/call.ts";
import { openUsers } from "../domain/users/open-users.ts";
import { Trial } from "../indexing/preflight/trial.ts";
import type { Config } from "../platform/config/config.ts";
import { secretBoxOf } from "../platform/config/secrets-key.ts";
import { discoveryFiles, FRONT_PAGE_LINKS, type PublicFile } from "../surfaces/discovery/index.ts";
import { documentsOf } from "../surfaces/docs/index.ts";
import { serverCard } from "../surfaces/mcp/server-card.ts";
import { websiteApp } from "../surfaces/website/app.tsx";
import type { WebsiteServices } from "../surfaces/website/shell/page-request.ts";
import { enginesOf } from "./engines.ts";

/** The pages, and the documents that describe the service. */
export function site(given: Omit<WebsiteServices, "trial" | "users">): ReturnType<typeof websiteApp> {
  const { db, mailer, config } = given;
  const { siteUrl, signUp, localSignIn } = config;
  const trial = new Trial({ ...given, lookups: lookupsOf(given) });
  const users = openUsers({ db, mailer, siteUrl, signUp, localSignIn, secretBox: secretBoxOf(config) });
  const services = { ...given, trial, users };
  return websiteApp({ services, files: publicFiles(services.config), links: FRONT_PAGE_LINKS });
}

/** What looks pages up in Google for strangers; null where the operator does not want that. */
function lookupsOf(services: Services) {
  const perDay = services.config.freeLookupsPerDay;
  return perDay === 0 ? null : { verifier: enginesOf(services).engines.verifier, perDay };
}

/** The documents by which machines find the service. Only this file knows every surface that they describe. */
function publicFiles(config: Config): readonly PublicFile[] {
  return discoveryFiles({
    config,
    documents: documentsOf(config),
    openApi: openApiDocument(config),
    serverCard: serverCard(config),
    agentCard: agentCards(config),
  });
}
