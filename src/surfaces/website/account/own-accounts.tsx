import type { VNode } from "preact";
import { Refusal } from "../../../platform/errors/errors.ts";
import { aboutRole } from "../../../platform/roles.ts";
import { Button } from "../components/button.tsx";
import { Form } from "../components/form.tsx";
import { Item, ItemList } from "../components/item-list.tsx";
import { Time } from "../components/time.tsx";
import { ACCOUNTS_PATH } from "../shell/addresses.ts";
import { dashboardPage } from "../shell/dashboard-page.tsx";
import { localPath } from "../shell/local-path.ts";
import type { SignedInPost, SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import { accountsNow, choose, type Invitation, join, type OwnAccount } from "./domain.ts";

/** `/dashboard/accounts`: the accounts of who is signed in, and the invitations to their address. */
export async function accountsPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  const { email } = request.session;
  const { accounts, invitations } = await accountsNow(services, request);
  const returnTo = localPath(request.query("return_to"));
  const body = (
    <>
      <h2>You are a member of</h2>
      <ItemList>
        {accounts.map((account) => (
          <AccountItem key={account.accountId} {...{ request, account, returnTo }} />
        ))}
      </ItemList>
      <h2>Invitations</h2>
      {invitations.length === 0 && <p>Nobody has invited {email} at present.</p>}
      <ItemList>
        {invitations.map((invitation) => (
          <InvitationItem key={invitation.id} request={request} invitation={invitation} />
        ))}
      </ItemList>
    </>
  );
  request.show(dashboardPage({ section: "people", title: "Your accounts", body }));
}

/** `POST /dashboard/accounts` */
export async function chooseAccountPost(_services: WebsiteServices, post: SignedInPost): Promise<void> {
  const secret = await choose(post, post.field("account"));
  if (secret === null) throw new Refusal("not_found", "You are not a member of that account.");
  post.setSessionCookie(secret);
  post.redirect(localPath(post.field("return_to")));
}

/** `POST /dashboard/accounts/join` */
export async function joinPost(_services: WebsiteServices, post: SignedInPost): Promise<void> {
  const secret = await join(post, post.field("invitation"));
  if (secret === null) throw new Refusal("not_found", "There is no such invitation to your address any more.");
  post.setSessionCookie(secret);
  post.redirect("/dashboard");
}

interface AccountItemProps {
  readonly request: SignedInRequest;
  readonly account: OwnAccount;
  readonly returnTo: string;
}

function AccountItem({ request, account: { accountId, name, role }, returnTo }: AccountItemProps): VNode {
  const isThis = accountId === request.session.accountId;
  return (
    <Item
      title={
        <>
          <bdi>{name}</bdi> {isThis && <span class="mark">this one</span>}
        </>
      }
      facts={[`${role}: ${aboutRole(role)}`]}
    >
      {!isThis && (
        <Form request={request} action={ACCOUNTS_PATH} hidden={{ account: accountId, return_to: returnTo }}>
          <Button variant="quiet small">Work in {name}</Button>
        </Form>
      )}
    </Item>
  );
}

function InvitationItem({ request, invitation }: { request: SignedInRequest; invitation: Invitation }): VNode {
  const { id, role, expiresAt } = invitation;
  return (
    <Item
      title={`As its ${role}`}
      facts={[
        aboutRole(role),
        <>
          Until <Time at={expiresAt} />
        </>,
      ]}
    >
      <Form request={request} action={`${ACCOUNTS_PATH}/join`} hidden={{ invitation: id }}>
        <Button variant="quiet small">Join the account</Button>
      </Form>
    </Item>
  );
}
