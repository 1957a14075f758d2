import type { VNode } from "preact";
import { Refusal } from "../../../platform/errors/errors.ts";
import { formatCount, formatNumber } from "../../../platform/format.ts";
import { ROLES, type Role } from "../../../platform/principal.ts";
import { aboutRole, hasRight } from "../../../platform/roles.ts";
import { Button } from "../components/button.tsx";
import { Choice, TextField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { ConfirmedAction, Item, ItemList } from "../components/item-list.tsx";
import { Time } from "../components/time.tsx";
import { PATHS } from "../shell/addresses.ts";
import { dashboardPage, doneMessage } from "../shell/dashboard-page.tsx";
import {
  confirmIdentity,
  type SignedInPost,
  type SignedInRequest,
  type WebsiteServices,
} from "../shell/page-request.ts";
import { limitsIn, typedLimits } from "../spending/domain.ts";
import { LimitFields } from "../spending/limit-fields.tsx";
import {
  giveBudget,
  giveRole,
  type Invitation,
  invite,
  type Member,
  peopleOf,
  remove,
  type Spending,
  takeBack,
} from "./domain.ts";

const DONE = {
  invited: "The invitation is sent. It can be accepted for seven days, only by that address.",
  taken_back: "The invitation is taken back.",
  changed: "The role is changed. It applies from the next call on.",
  limited: "The limits are saved. They apply from the next call on.",
  removed: "The person is removed.",
};

/** `/dashboard/people`: who the members are, and who is invited. Addresses are shown to those who may invite. */
export async function peoplePage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  const { members, invitations, budgets, mayManage } = await peopleOf(services, request);
  const body = (
    <>
      <h2>Members</h2>
      <ItemList>
        {members.map((member) => (
          <MemberItem
            key={member.personId}
            {...{ request, member, members, mayManage }}
            budget={budgets.get(member.personId)}
          />
        ))}
      </ItemList>
      {mayManage && <Invitations request={request} invitations={invitations} />}
      {mayManage && <InviteForm request={request} />}
    </>
  );
  request.show(dashboardPage({ section: "people", title: "People", message: doneMessage(request, DONE), body }));
}

/** `POST /dashboard/people` */
export async function invitePost(services: WebsiteServices, post: SignedInPost): Promise<void> {
  if (!confirmIdentity(post, { formPage: PATHS.people })) return;
  await invite(services, post, { email: post.field("email"), role: roleIn(post) });
  post.redirect(`${PATHS.people}?done=invited`);
}

/** `POST /dashboard/people/invitations/:id/revoke` */
export async function revokeInvitationPost(_services: WebsiteServices, post: SignedInPost): Promise<void> {
  if (!(await takeBack(post, post.param("id"))))
    throw new Refusal("not_found", "There is no such invitation any more. It may have been accepted.");
  post.redirect(`${PATHS.people}?done=taken_back`);
}

/** `POST /dashboard/people/:id/role` */
export async function changeRolePost(_services: WebsiteServices, post: SignedInPost): Promise<void> {
  if (!confirmIdentity(post, { formPage: PATHS.people })) return;
  await giveRole(post, { personId: post.param("id"), role: roleIn(post) });
  post.redirect(`${PATHS.people}?done=changed`);
}

/** `POST /dashboard/people/:id/remove`: removes a member, or lets who is signed in leave. */
export async function removeMemberPost(services: WebsiteServices, post: SignedInPost): Promise<void> {
  if (!confirmIdentity(post, { formPage: PATHS.people })) return;
  const personId = post.param("id");
  const heir = post.field("made") === "ends" ? null : post.field("made");
  if (heir === "")
    throw new Refusal("invalid_request", "Choose whether what the person has made ends, or who has it then.");
  await remove(services, post, { personId, heir });
  post.redirect(personId === post.session.personId ? "/sign-in" : `${PATHS.people}?done=removed`);
}

function roleIn(post: SignedInPost): Role {
  const role = ROLES.find((one) => one === post.field("role"));
  if (role) return role;
  throw new Refusal("invalid_request", "Choose a role.", { issues: [{ path: "role", message: "not a role" }] });
}

/** `POST /dashboard/people/:id/budget` */
export async function budgetPost(_services: WebsiteServices, post: SignedInPost): Promise<void> {
  if (!confirmIdentity(post, { formPage: PATHS.people })) return;
  const { limits, problem } = limitsIn(post);
  if (problem !== null) throw new Refusal("invalid_request", problem);
  await giveBudget(post, { personId: post.param("id"), limits });
  post.redirect(`${PATHS.people}?done=limited`);
}

interface MemberItemProps {
  readonly request: SignedInRequest;
  readonly member: Member;
  readonly members: readonly Member[];
  readonly mayManage: boolean;
  /** Absent: the role has none, or it is not for the reader to see. */
  readonly budget: Spending | undefined;
}

function MemberItem({ request, member, members, mayManage, budget }: MemberItemProps): VNode {
  const { personId, email, role, joinedAt } = member;
  const { session } = request;
  const isSelf = personId === session.personId;
  const isLastOwner = role === "owner" && members.filter((other) => other.role === "owner").length === 1;
  const mayChange = mayManage && !isLastOwner && (role !== "owner" || hasRight(session.role, "owners"));
  const path = `${PATHS.people}/${personId}`;
  return (
    <Item
      title={
        <>
          {mayManage || isSelf ? email : "A member"} {isSelf && <span class="mark">you</span>}
        </>
      }
      facts={[
        `${role}: ${aboutRole(role)}`,
        <>
          Since <Time at={joinedAt} />
        </>,
        ...(budget ? [budgetWords(budget)] : []),
      ]}
    >
      {budget && mayChange && (
        <details>
          <summary>What {email} may spend</summary>
          <Form request={request} action={`${path}/budget`}>
            <LimitFields values={typedLimits(budget.limits)} isOfMember />
            <Button variant="quiet small">Save the limits of {email}</Button>
          </Form>
        </details>
      )}
      {mayChange && (
        <Form request={request} action={`${path}/role`}>
          <RoleChoices session={session} chosen={role} />
          <Button variant="quiet small">Change the role of {email}</Button>
        </Form>
      )}
      {isLastOwner && isSelf && members.length > 1 && (
        <p class="hint">
          You are the only owner. To leave the account or change your role, make somebody else an owner first.
        </p>
      )}
      {(mayChange || isSelf) && !isLastOwner && members.length > 1 && (
        <details class="risky">
          <summary>{isSelf ? "Leave the account" : "Remove"}</summary>
          <p>
            What becomes of the API keys, apps, agents, webhooks, watches, shares and connections to search engines of
            this person? Invitations, exports and approvals that nobody has used end in any case.
          </p>
          <p class="hint">Whoever has the secret of a key or an app can use it for as long as it has not ended.</p>
          <Form request={request} action={`${path}/remove`}>
            <Choice type="radio" name="made" value="ends" isTicked={false}>
              They end
            </Choice>
            {members
              .filter((other) => other.personId !== personId)
              .map((other) => (
                <Choice key={other.personId} type="radio" name="made" value={other.personId} isTicked={false}>
                  They go to {mayManage ? other.email : `the ${other.role}`}, whose role limits them then
                </Choice>
              ))}
            <Button variant="bad small">{isSelf ? "Leave the account" : `Remove ${email}`}</Button>
          </Form>
        </details>
      )}
    </Item>
  );
}

/** What a member has spent, and what is left. */
function budgetWords({ spent, limits, remaining }: Spending): string {
  const left = (credits: number | null) => (credits === null ? "" : `, ${formatNumber(credits)} left`);
  const inAll = limits.total === null ? "" : `; in total ${formatNumber(spent.total)}${left(remaining.total)}`;
  return `Spent ${formatCount(spent.today, "credit")} today${left(remaining.day)}; ${formatNumber(spent.thisMonth)} this month${left(remaining.month)}${inAll}`;
}

function RoleChoices({ session, chosen }: { session: SignedInRequest["session"]; chosen: Role }): VNode {
  const offered = ROLES.filter((role) => role !== "owner" || hasRight(session.role, "owners"));
  return (
    <>
      {offered.map((role) => (
        <Choice key={role} type="radio" name="role" value={role} isTicked={role === chosen} hint={aboutRole(role)}>
          {role}
        </Choice>
      ))}
    </>
  );
}

function Invitations({
  request,
  invitations,
}: {
  request: SignedInRequest;
  invitations: readonly Invitation[];
}): VNode {
  return (
    <>
      <h2>Invited</h2>
      {invitations.length === 0 && <p>There are no open invitations.</p>}
      <ItemList>
        {invitations.map(({ id, email, role, expiresAt }) => (
          <Item
            key={id}
            title={email}
            facts={[
              role,
              <>
                Until <Time at={expiresAt} />
              </>,
            ]}
          >
            <ConfirmedAction
              request={request}
              label="Take back"
              warning="The invitation cannot be accepted any more."
              action={`${PATHS.people}/invitations/${id}/revoke`}
              button={`Take back the invitation of ${email}`}
            />
          </Item>
        ))}
      </ItemList>
    </>
  );
}

function InviteForm({ request }: { request: SignedInRequest }): VNode {
  return (
    <>
      <h2>Invite somebody</h2>
      <Form request={request} action={PATHS.people}>
        <TextField name="email" label="E-mail address" type="email" autocomplete="off" />
        <RoleChoices session={request.session} chosen="member" />
        <Button>Send the invitation</Button>
      </Form>
    </>
  );
}
