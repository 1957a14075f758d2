import estimateCost from "../../../../tools/estimate-cost.ts";
import resubmit from "../../../../tools/resubmit.ts";
import { isAboveAgreed } from "../../../contract/spending-refusal.ts";
import { formatCount } from "../../../platform/format.ts";
import { Button } from "../components/button.tsx";
import { Form } from "../components/form.tsx";
import { PATHS } from "../shell/addresses.ts";
import { callOperation, readOperation } from "../shell/call-operation.ts";
import { dashboardPage, doneMessage } from "../shell/dashboard-page.tsx";
import { listAddress } from "../shell/list-query.ts";
import type { SignedInPost, SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import { isNotIndexedReason, nextStepFor, projectAt } from "./domain.ts";
import { reasonSentence } from "./evidence-words.ts";

const DONE = { price: "More URLs are not in Google by now than the button said. Nothing was spent: the price is new." };

/** Where what is not in Google is sent again. @param reason a code of get_report; absent: all of it */
export function resubmitPath(projectId: string, reason = ""): string {
  return listAddress(`${PATHS.projects}/${projectId}/resubmit`, reason === "" ? {} : { reason });
}

/** `GET /dashboard/projects/:id/resubmit`: what would be sent again, and the button with its price. */
export async function resubmitPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  const project = await projectAt(services, request);
  const reason = reasonIn(request.query("reason"));
  const about = { project_id: project.id, ...(reason && { reasons: [reason] }) };
  const { urls, credits } = await readOperation(services, request, estimateCost, about);
  const body = (
    <>
      <p>
        <a href={`${PATHS.projects}/${project.id}`}>
          Back to <bdi>{project.name}</bdi>
        </a>
      </p>
      {reason && (
        <p>
          {reasonSentence(reason)} <strong>{nextStepFor(reason)}</strong>
        </p>
      )}
      {urls === 0 ? (
        <p>
          There is nothing to send: no URL of this project is not in Google for that reason, or their pages refused
          indexing when they were last read, or they are under way, or Google has them by now.
        </p>
      ) : (
        <>
          <p>
            A new project sends {formatCount(urls, "URL")} as before. Change the pages first. Left out are URLs whose
            pages refused indexing when they were last read, that are under way, or that Google has by now.
          </p>
          <Form request={request} action={resubmitPath(project.id)} hidden={{ agreed: String(credits), reason }}>
            <Button>
              Send {formatCount(urls, "URL")} for {formatCount(credits, "credit")}
            </Button>
          </Form>
        </>
      )}
    </>
  );
  const message = doneMessage(request, DONE);
  request.show(dashboardPage({ section: "projects", title: "Submit again", message, body }));
}

/** `POST /dashboard/projects/:id/resubmit` */
export async function resubmitPost(services: WebsiteServices, post: SignedInPost): Promise<void> {
  const price = post.field("agreed");
  const agreed = { credits: /^\d{1,9}$/.test(price) ? Number(price) : 0 };
  const id = post.param("id");
  const reason = reasonIn(post.field("reason"));
  try {
    const about = { project_id: id, ...(reason && { reasons: [reason] }) };
    const { project } = await callOperation(services, post, resubmit, about, { agreed });
    post.redirect(`${PATHS.projects}/${project.id}`);
  } catch (thrown) {
    if (!isAboveAgreed(thrown)) throw thrown;
    post.redirect(listAddress(resubmitPath(id), { ...(reason && { reason }), done: "price" }));
  }
}

/** "": any. */
function reasonIn(text: string): string {
  return isNotIndexedReason(text) ? text : "";
}
