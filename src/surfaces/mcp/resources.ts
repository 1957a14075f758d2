import type { ReadResourceResult, Resource, ResourceTemplateType } from "@modelcontextprotocol/server";
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { Refusal } from "../../platform/errors/errors.ts";
import { hasControl } from "../../platform/text.ts";
import type { ToolCaller } from "./caller.ts";
import { LIST_PROJECTS, newestProjects, type OwnProject } from "./own-projects.ts";
import { ACCOUNT, LINKS_TEMPLATE, PRICING, PROJECT_TEMPLATE, projectUri, resourceCallOf } from "./resource-uris.ts";
import { skillAt, skillResource } from "./skills.ts";
import { VIEW_TYPE, VIEWS, viewAt } from "./views/views.ts";

/** How many projects are listed; any other is read by the template, whose completion finds it. */
const PROJECTS_LISTED = 20;

const JSON_TYPE = "application/json";

export const TEMPLATES: ResourceTemplateType[] = [
  {
    uriTemplate: PROJECT_TEMPLATE,
    name: "project",
    title: "Project",
    description: "Counts, index rate and credits of one project, as get_project answers.",
    mimeType: JSON_TYPE,
  },
  {
    uriTemplate: LINKS_TEMPLATE,
    name: "project_links",
    title: "URLs of a project",
    description: "The first URLs of a project, as list_links answers.",
    mimeType: JSON_TYPE,
  },
];

const PUBLIC: Resource[] = [
  {
    uri: PRICING,
    name: "pricing",
    title: "Prices",
    description: "Credit packs and what work costs, as get_pricing answers.",
    mimeType: JSON_TYPE,
  },
  ...VIEWS.map(({ shows: _, page: __, ...view }) => ({ ...view, mimeType: VIEW_TYPE })),
];

const OWN: Resource = {
  uri: ACCOUNT,
  name: "account",
  title: "Account",
  description: "Balance, credential, usage and limits, as get_account answers.",
  mimeType: JSON_TYPE,
};

/** The resources of the caller: without a credential the public ones, without the scope `read` no projects. @throws Refusal */
export async function listResources(caller: ToolCaller): Promise<Resource[]> {
  const own = caller.allows(resourceCallOf(ACCOUNT)!.operation) ? [OWN] : [];
  return [...PUBLIC, skillResource(), ...own, ...(await projectsOf(caller)).map(asResource)];
}

async function projectsOf(caller: ToolCaller): Promise<OwnProject[]> {
  return caller.allows(LIST_PROJECTS) ? newestProjects(caller, PROJECTS_LISTED) : [];
}

function asResource({ id, name, status, counts }: OwnProject): Resource {
  return {
    uri: projectUri(id),
    name: id,
    title: name,
    description: `Project, ${status}: ${counts.indexed} of ${counts.total} URLs indexed.`,
    mimeType: JSON_TYPE,
  };
}

/** @throws Refusal, ProtocolError for an unknown URI */
export async function readResource(caller: ToolCaller, uri: string): Promise<ReadResourceResult> {
  const fixed = viewAt(uri) ?? skillAt(uri);
  if (fixed) return { contents: [fixed] };
  const resource = resourceCallOf(uri);
  if (!resource) throw notFound(uri);
  try {
    const call = { ...resource, idempotencyKey: undefined };
    const { text } = await caller.call(call);
    return { contents: [{ uri, mimeType: JSON_TYPE, text }] };
  } catch (thrown) {
    throw thrown instanceof Refusal && thrown.code === "not_found" ? notFound(uri) : thrown;
  }
}

/** Longest URI that an error repeats, in characters. */
const MAX_REPEATED_URI = 512;

/** Clients recognize it by its code and the URI in `data`, which is repeated unless it is too long or has control characters. */
export function notFound(uri: string): ProtocolError {
  const isPlain = uri.length <= MAX_REPEATED_URI && !hasControl(uri);
  const message = "There is no such resource. See resources/list and resources/templates/list.";
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message, isPlain ? { uri } : undefined);
}
