import type { Config } from "../../platform/config/config.ts";
import { version } from "../../platform/version.ts";
import type { Document } from "../docs/index.ts";
import { clientBundle } from "../install/bundle.ts";
import { clientTarball } from "../install/client-package.ts";
import { indexingSkill, skillIndex } from "../install/skill.ts";
import { aiCatalog } from "./ai-catalog.ts";
import { API_CATALOG_LINK, apiCatalog } from "./api-catalog.ts";
import { robotsText, sitemapXml } from "./crawlers.ts";
import { llmsFullText, llmsText } from "./llms.ts";
import { MEDIA_TYPES, OLD_PATHS, PATHS } from "./paths.ts";
import type { PublicFile } from "./public-file.ts";
import { isReachable, securityText } from "./security.ts";

export { FRONT_PAGE_LINKS } from "./links.ts";
export type { PublicFile } from "./public-file.ts";

export interface DiscoveryDeps {
  readonly config: Config;
  readonly documents: readonly Document[];
  readonly openApi: object;
  readonly serverCard: object;
  /** The agent card for a client that sends this `A2A-Version`. */
  readonly agentCard: (version: string | undefined) => object;
}

/** How long caches may keep files that also change with the settings, in seconds; other files are kept for an hour. */
const SHORT = 300;

/** The documents by which a machine that knows only the origin finds everything else. */
export function discoveryFiles(deps: DiscoveryDeps): readonly PublicFile[] {
  const { config, documents } = deps;
  const { contact, openaiAppsChallenge } = config;
  return [
    { path: PATHS.openApi, mediaType: MEDIA_TYPES.json, text: JSON.stringify(deps.openApi), maxAge: SHORT },
    {
      path: PATHS.agentCard,
      aliases: OLD_PATHS.agentCard,
      mediaType: MEDIA_TYPES.json,
      text: ({ header }) => JSON.stringify(deps.agentCard(header("A2A-Version"))),
      vary: "A2A-Version",
      maxAge: SHORT,
    },
    {
      path: PATHS.serverCard,
      aliases: OLD_PATHS.serverCard,
      mediaType: MEDIA_TYPES.serverCard,
      text: JSON.stringify(deps.serverCard),
    },
    {
      path: PATHS.apiCatalog,
      mediaType: MEDIA_TYPES.linkset,
      text: JSON.stringify(apiCatalog(config)),
      link: API_CATALOG_LINK,
    },
    {
      path: PATHS.aiCatalog,
      aliases: OLD_PATHS.aiCatalog,
      mediaType: MEDIA_TYPES.aiCatalog,
      text: JSON.stringify(aiCatalog(config)),
    },
    { path: PATHS.llms, mediaType: MEDIA_TYPES.text, text: llmsText(config, documents), maxAge: SHORT },
    { path: PATHS.llmsFull, mediaType: MEDIA_TYPES.text, text: llmsFullText(config, documents), maxAge: SHORT },
    { path: PATHS.robots, mediaType: MEDIA_TYPES.text, text: robotsText(config) },
    { path: PATHS.sitemap, mediaType: MEDIA_TYPES.xml, text: sitemapXml(config, documents) },
    {
      path: PATHS.clientPackage,
      mediaType: MEDIA_TYPES.gzip,
      text: clientTarball,
      saveAs: `beckon-client-${version}.tgz`,
      maxAge: SHORT,
    },
    {
      path: PATHS.clientBundle,
      mediaType: MEDIA_TYPES.zip,
      text: () => clientBundle(config),
      saveAs: `beckon-${version}.mcpb`,
      maxAge: SHORT,
    },
    {
      path: PATHS.skillIndex,
      mediaType: MEDIA_TYPES.json,
      text: JSON.stringify(skillIndex(config.siteUrl)),
      maxAge: SHORT,
    },
    { path: PATHS.skill, mediaType: MEDIA_TYPES.markdownText, text: indexingSkill().text, maxAge: SHORT },
    ...(openaiAppsChallenge
      ? [
          {
            path: PATHS.openaiAppsChallenge,
            mediaType: MEDIA_TYPES.text,
            text: openaiAppsChallenge,
            maxAge: SHORT,
          },
        ]
      : []),
    ...(isReachable(contact)
      ? [
          {
            path: PATHS.security,
            mediaType: MEDIA_TYPES.text,
            text: ({ now }: { now: number }) => securityText({ siteUrl: config.siteUrl, contact }, now),
          },
        ]
      : []),
  ];
}
