import type { VNode } from "preact";
import estimateCost from "../../../../tools/estimate-cost.ts";
import resubmit from "../../../../tools/resubmit.ts";
import { isAboveAgreed } from "../../../contract/spending-refusal.ts";
import { formatCount } from "../../../platform/format.ts";
import { ConfirmedAction } from "../components/item-list.tsx";
import { PATHS, reportPath } from "../shell/addresses.ts";
import { callOperation, readOperation } from "../shell/call-operation.ts";
import type { SignedInPost, SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import type { Project } from "./reading.ts";

/** The form that sends what is not indexed again, for at most the price on its button. Nothing where there is nothing to send. */
export async function resubmitForm(
  services: WebsiteServices,
  request: SignedInRequest,
  { id, notIndexed }: Project,
): Promise<VNode | null> {
  if (notIndexed === 0) return null;
  const { urls, credits } = await readOperation(services, request, estimateCost, { project_id: id });
  if (urls === 0) return null;
  const left = notIndexed - urls;
  const others = `${formatCount(left, "other")} ${left === 1 ? "is" : "are"} left out: the page refused indexing when it was last read, or the URL is under way or was indexed since.`;
  return (
    <ConfirmedAction
      request={request}
      label="Send again what is not indexed"
      warning={`A new project sends ${formatCount(urls, "URL")} as before. Change the pages first, by the reasons above. ${left > 0 ? others : ""}`}
      action={`${PATHS.projects}/${id}/resubmit`}
      hidden={{ agreed: String(credits) }}
      button={`Send ${formatCount(urls, "URL")} for ${formatCount(credits, "credit")}`}
    />
  );
}

/** `POST /dashboard/projects/:id/resubmit` */
export async function resubmitPost(services: WebsiteServices, post: SignedInPost): Promise<void> {
  const price = post.field("agreed");
  const agreed = { credits: /^\d{1,9}$/.test(price) ? Number(price) : 0 };
  const id = post.param("id");
  try {
    const { project } = await callOperation(services, post, resubmit, { project_id: id }, { agreed });
    post.redirect(`${PATHS.projects}/${project.id}`);
  } catch (thrown) {
    if (!isAboveAgreed(thrown)) throw thrown;
    post.redirect(`${reportPath(id)}?done=price`);
  }
}
