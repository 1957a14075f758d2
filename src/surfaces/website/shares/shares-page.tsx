import type { VNode } from "preact";
import deleteShare from "../../../../tools/delete-share.ts";
import listShares from "../../../../tools/list-shares.ts";
import type { AnswerOf } from "../../../contract/operation.ts";
import { allows } from "../../../platform/roles.ts";
import { SIZES } from "../../../platform/sizes.ts";
import { ConfirmedAction, Item, ItemList } from "../components/item-list.tsx";
import { Day, Time } from "../components/time.tsx";
import { PATHS, sitePath } from "../shell/addresses.ts";
import { callOperation, readOperation } from "../shell/call-operation.ts";
import { dashboardPage, doneMessage } from "../shell/dashboard-page.tsx";
import type { SignedInPost, SignedInRequest, WebsiteServices } from "../shell/page-request.ts";

type Share = AnswerOf<typeof listShares>["shares"][number];

const DONE = { ended: "The link is ended. Nobody reads anything by it any more." };

/** `/dashboard/shares`: the links by which results are read, each with its end. */
export async function sharesPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  const { shares } = await readOperation(services, request, listShares, { limit: SIZES.pageLimit });
  const body =
    shares.length === 0 ? (
      <p>
        Nothing is shared. Open a <a href={PATHS.projects}>project</a> or a <a href={PATHS.sites}>site</a>, and press
        Share: whoever has the link reads its results without an account.
      </p>
    ) : (
      <>
        <h2>Open links</h2>
        <ItemList>
          {shares.map((share) => (
            <ShareItem key={share.id} request={request} share={share} />
          ))}
        </ItemList>
      </>
    );
  const message = doneMessage(request, DONE);
  request.show(dashboardPage({ section: "shares", title: "Shared results", message, body }));
}

/** `POST /dashboard/shares/:id/end` */
export async function endSharePost(services: WebsiteServices, post: SignedInPost): Promise<void> {
  await callOperation(services, post, deleteShare, { share_id: post.param("id") });
  post.redirect(`${PATHS.shares}?done=ended`);
}

function ShareItem({ request, share }: { request: SignedInRequest; share: Share }): VNode {
  const { id, title, from, project_id, host, created_at, expires_at, last_seen_at } = share;
  const subject = project_id === null ? sitePath(host!) : `${PATHS.projects}/${project_id}`;
  return (
    <Item
      title={
        <a href={subject}>
          <bdi>{title}</bdi>
        </a>
      }
      facts={[
        <>
          {host ?? "A project"}
          {from && (
            <>
              , from <bdi>{from}</bdi>
            </>
          )}
        </>,
        <>
          Made <Day at={created_at} />, ends <Day at={expires_at} />
        </>,
        last_seen_at === null ? (
          "Not opened yet"
        ) : (
          <>
            Last opened <Time at={last_seen_at} />
          </>
        ),
      ]}
    >
      {allows(request.session.role, "share") && (
        <ConfirmedAction
          request={request}
          label="End"
          warning="Whoever has the link finds nothing there any more. A new link has another address."
          action={`${PATHS.shares}/${id}/end`}
          button={`End the link to ${title}`}
        />
      )}
    </Item>
  );
}
