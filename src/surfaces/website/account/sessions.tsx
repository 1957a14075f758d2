import type { VNode } from "preact";
import { Refusal } from "../../../platform/errors/errors.ts";
import { ConfirmedAction, Item, ItemList } from "../components/item-list.tsx";
import { relativeTime, Time } from "../components/time.tsx";
import { PATHS } from "../shell/addresses.ts";
import type { SignedInPost, SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import { type Session, signOutBrowser, signOutOthers } from "./domain.ts";

interface SessionListProps {
  readonly request: SignedInRequest;
  readonly sessions: readonly Session[];
}

/** The browsers that are signed in. This one is marked; the others can be signed out. */
export function SessionList({ request, sessions }: SessionListProps): VNode {
  return (
    <>
      <ItemList>
        {sessions.map((session) => (
          <SessionItem key={session.id} request={request} session={session} />
        ))}
      </ItemList>
      {sessions.length > 1 && (
        <ConfirmedAction
          request={request}
          label="Sign out everywhere else"
          warning="All browsers but this one are signed out at once. API keys, apps and agents keep their access."
          action={`${PATHS.security}/sessions/end-others`}
          button="Sign out all other browsers"
        />
      )}
    </>
  );
}

/** `POST /dashboard/security/sessions/:id/end` */
export async function endSessionPost(_services: WebsiteServices, request: SignedInPost): Promise<void> {
  if (!(await signOutBrowser(request, request.param("id"))))
    throw new Refusal("not_found", "Your account has no such session. It may have ended already.");
  request.redirect(`${PATHS.security}?done=ended`);
}

/** `POST /dashboard/security/sessions/end-others` */
export async function endOtherSessionsPost(_services: WebsiteServices, request: SignedInPost): Promise<void> {
  await signOutOthers(request);
  request.redirect(`${PATHS.security}?done=ended_others`);
}

function SessionItem({ request, session }: { request: SignedInRequest; session: Session }): VNode {
  const { id, browser, ip, createdAt, lastSeenAt } = session;
  const isThis = id === request.session.id;
  return (
    <Item
      title={
        <>
          {browser} {isThis && <span class="mark">this browser</span>}
        </>
      }
      facts={[
        <>
          Signed in <Time at={createdAt} />
        </>,
        <>
          Last seen <Time at={lastSeenAt} />{" "}
          <span class="soft">
            {relativeTime(lastSeenAt, request.now)}, from {ip}
          </span>
        </>,
      ]}
    >
      {!isThis && (
        <ConfirmedAction
          request={request}
          label="Sign out there"
          warning="That browser has to sign in again."
          action={`${PATHS.security}/sessions/${id}/end`}
          button={`Sign out ${browser}`}
        />
      )}
    </Item>
  );
}
