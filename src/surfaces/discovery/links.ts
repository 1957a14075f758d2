import { MEDIA_TYPES, PATHS } from "./paths.ts";

/** The `Link` header of the front page (RFC 8288), which leads to everything else by registered relations. */
export const FRONT_PAGE_LINKS = [
  link(PATHS.apiCatalog, "api-catalog", { type: "application/linkset+json" }),
  link(PATHS.openApi, "service-desc", { type: "application/json", title: "REST API, OpenAPI 3.1" }),
  link(PATHS.serverCard, "service-meta", { type: MEDIA_TYPES.serverCard, title: "MCP server card" }),
  link(PATHS.agentCard, "service-meta", { type: "application/json", title: "A2A agent card" }),
  link(PATHS.docs, "service-doc", { type: MEDIA_TYPES.html }),
  link(PATHS.auth, "service-doc", { type: MEDIA_TYPES.markdown, title: "How an agent signs in" }),
  link(PATHS.llms, "describedby", { type: "text/plain", title: "For language models" }),
  link(PATHS.aiCatalog, "describedby", { type: MEDIA_TYPES.aiCatalog }),
  link(PATHS.health, "status", { type: "application/json" }),
].join(", ");

/** @param relation of iana.org/assignments/link-relations */
export function link(
  target: string,
  relation: string,
  { type, title }: { type?: string; title?: string } = {},
): string {
  const more = [type && `; type="${type}"`, title && `; title="${title}"`];
  return `<${target}>; rel="${relation}"${more.filter(Boolean).join("")}`;
}
