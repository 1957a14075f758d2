import type { VNode } from "preact";
import cancelLinks from "../../../../tools/cancel-links.ts";
import { formatCount } from "../../../platform/format.ts";
import { ConfirmedAction } from "../components/item-list.tsx";
import { PATHS } from "../shell/addresses.ts";
import { callOperation } from "../shell/call-operation.ts";
import type { SignedInPost, SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import type { Project } from "./domain.ts";

/** The form that cancels the unsent URLs, and says what follows from it. Nothing where all are sent. */
export function CancelProject({ request, project }: { request: SignedInRequest; project: Project }): VNode | null {
  const { waiting, price, kind, id } = project;
  if (waiting === 0) return null;
  const back =
    kind === "check"
      ? "What they cost comes back when the check is complete."
      : `${formatCount(waiting * price, "credit")} come back at once.`;
  return (
    <ConfirmedAction
      request={request}
      label="Cancel what is not sent yet"
      warning={`${formatCount(waiting, "URL")} will not be ${kind === "check" ? "looked up" : "sent"}. ${back} URLs that were sent already go on. This cannot be undone.`}
      action={`${PATHS.projects}/${id}/cancel`}
      button={`Cancel ${formatCount(waiting, "URL")}`}
    />
  );
}

/** `POST /dashboard/projects/:id/cancel` */
export async function cancelProjectPost(services: WebsiteServices, request: SignedInPost): Promise<void> {
  const id = request.param("id");
  await callOperation(services, request, cancelLinks, { project_id: id });
  request.redirect(`${PATHS.projects}/${id}?done=cancelled`);
}
