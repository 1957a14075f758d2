import { scopesOfRole } from "../../../../platform/roles.ts";
import { isRecent } from "../../shell/domain.ts";
import type { Session } from "../../shell/page-request.ts";
import { type FormPost, type PageRequest, redirectToSignIn, type WebsiteServices } from "../../shell/page-request.ts";
import { termsIn } from "../../spending/domain.ts";
import {
  allowAgent,
  declineAgent,
  isMeantFor,
  type RegistrationRow,
  registrationAt,
  scopesIn,
  termsShown,
} from "../domain.ts";
import { CLAIM_PATH, claimPage } from "./claim-form.tsx";
import { decidedPage, expiredLinkPage, unverifiedPage, wrongAccountPage } from "./outcomes.tsx";

/** `GET /claim`: an agent has sent its user here. */
export async function showClaim(services: WebsiteServices, request: PageRequest): Promise<void> {
  const attempt = request.query("attempt");
  const opened = await openClaim(services, request, attempt);
  if (!opened) return;
  const { registration } = opened;
  // What spends is ticked by the user: nobody has verified the agent.
  const ticked = scopesIn(registration.scopes).filter((scope) => scope === "read");
  const agent = { clientId: null, name: registration.agentName };
  const limits = await termsShown(services.db, opened.session, agent, request.now);
  request.show(claimPage(request, { session: opened.session, registration, attempt, ticked, limits }));
}

/** `POST /claim`: the user has decided. The registration is read again, since it may have changed. */
export async function answerClaim(services: WebsiteServices, post: FormPost): Promise<void> {
  const attempt = post.field("attempt");
  const opened = await openClaim(services, post, attempt);
  if (!opened) return;
  const { registration, session } = opened;
  const ticked = post.fields("scope");
  const scopes = scopesOfRole(session.role).filter((scope) => ticked.includes(scope));
  const { terms, typed, problem } = termsIn(post);
  const showAgain = (problem: string) =>
    post.show(claimPage(post, { registration, session, attempt, ticked: scopes, limits: typed, problem }), 400);
  const decision = post.field("decision");
  if (decision === "decline") await declineAgent(post, { session, attempt });
  else if (decision !== "allow") return showAgain("Choose Allow or Decline.");
  else {
    const code = post.field("user_code").trim();
    if (code === "") return showAgain("Enter the code that your agent shows you.");
    if (!scopesIn(registration.scopes).some((scope) => scopes.includes(scope)))
      return showAgain("Tick at least one permission, or decline.");
    if (problem !== null) return showAgain(problem);
    const decided = await allowAgent(services, post, { session, attempt, code, scopes, terms });
    if (decided.outcome === "wrong_code") return showAgain(wrongCode(decided.left));
  }
  post.redirect(pathOf(attempt));
}

/** The pending registration, for the user that it is meant for. Null: the request was answered with another page. */
async function openClaim(
  services: WebsiteServices,
  request: PageRequest,
  attempt: string,
): Promise<{ registration: RegistrationRow; session: Session } | null> {
  const registration = await registrationAt(services, request, attempt);
  const { session } = request;
  if (!registration) request.show(expiredLinkPage(), 410);
  else if (!session) redirectToSignIn(request, false, pathOf(attempt));
  else if (session.verifiedAt === null) request.show(unverifiedPage(session.email, pathOf(attempt)), 403);
  else if (!isMeantFor(registration, session))
    request.show(wrongAccountPage(request, session.email, pathOf(attempt)), 403);
  else if (registration.status !== "pending") request.show(decidedPage(registration.status, registration.agentName));
  else if (!isRecent(session, request.now)) redirectToSignIn(request, true, pathOf(attempt));
  else return { registration, session };
  return null;
}

function pathOf(attempt: string): string {
  return `${CLAIM_PATH}?${new URLSearchParams({ attempt })}`;
}

function wrongCode(left: number): string {
  const tries = left === 1 ? "one more try" : `${left} more tries`;
  return `The code is wrong. You have ${tries}; then the registration is locked.`;
}
