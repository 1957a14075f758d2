import type { VNode } from "preact";
import { Refusal } from "../../../../platform/errors/errors.ts";
import { ConfirmedAction, Item, ItemList } from "../../components/item-list.tsx";
import { Time } from "../../components/time.tsx";
import { PATHS } from "../../shell/addresses.ts";
import type { SignedInPost, SignedInRequest, WebsiteServices } from "../../shell/page-request.ts";
import { deletePushConfig, type PushConfig } from "../domain.ts";

/** `POST /dashboard/webhooks/pushes/:id/delete` */
export async function deletePushConfigPost(_services: WebsiteServices, request: SignedInPost): Promise<void> {
  const id = request.param("id");
  const isDeleted = await deletePushConfig(request, id);
  if (!isDeleted)
    throw new Refusal("not_found", "Your account has no such push configuration. It may be deleted already.");
  request.redirect(`${PATHS.webhooks}?done=push`);
}

/** The addresses at which agents are told of their tasks, if any. Of another maker's address only the origin is shown. */
export function PushConfigs({
  request,
  configs,
}: {
  request: SignedInRequest;
  configs: readonly PushConfig[];
}): VNode | null {
  if (configs.length === 0) return null;
  return (
    <>
      <h2>Agents that are told of their tasks</h2>
      <p>An agent over A2A has asked for these. Each ends with its task, or with the access of the agent.</p>
      <ItemList>
        {configs.map(({ id, url, maker, createdAt }) => (
          <Item
            key={id}
            title={new URL(url).origin}
            facts={[
              <>
                Made <Time at={createdAt} /> by <a href={`/dashboard/credentials/${maker}`}>a key, app or agent</a>
              </>,
            ]}
          >
            <ConfirmedAction
              request={request}
              label="Delete"
              warning="Nothing more of this task is sent there. The agent can ask for it again."
              action={`${PATHS.webhooks}/pushes/${id}/delete`}
              button="Delete it"
            />
          </Item>
        ))}
      </ItemList>
    </>
  );
}
