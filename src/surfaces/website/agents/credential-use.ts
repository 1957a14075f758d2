import listProjects from "../../../../tools/list-projects.ts";
import { readOperation } from "../shell/call-operation.ts";
import type { SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import { useOf } from "./domain.ts";

/** How many projects the page of a key, app or agent lists. */
const LISTED = 10;

/** What a key, or all connections of an app or agent, may spend and have done. @param holder whose budget it is */
export async function credentialUse(
  services: WebsiteServices,
  request: SignedInRequest,
  { credential, holder }: { readonly credential: string; readonly holder: string },
) {
  const use = await useOf(services, request, { credential, holder });
  const input = { credential_id: credential, limit: LISTED };
  const { projects } = await readOperation(services, request, listProjects, input);
  return { ...use, credential, projects };
}
