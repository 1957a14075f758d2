import { approveClaim, declineClaim, isMeantFor, registrationOfAttempt } from "../../../../domain/agents/claiming.ts";
import type { RegistrationRow } from "../../../../domain/agents/registrations.ts";
import { scopesIn } from "../../../../domain/credentials/scopes.ts";
import { agentConnected } from "../../../../domain/mail/templates/agent-connected.ts";
import { budgetOf } from "../../../../domain/spending/budgets.ts";
import { holderOf } from "../../../../domain/spending/holder.ts";
import { isRecent, type Session } from "../../../../domain/users/sessions.ts";
import { scopesOfRole } from "../../../../platform/roles.ts";
import { type FormPost, type PageRequest, redirectToSignIn, type WebsiteServices } from "../../shell/page-request.ts";
import { firstTerms, termsIn } from "../../spending/domain.ts";
import { setFirstLimits } from "../first-limits.ts";
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
  const holder = holderOf({ clientId: null, name: registration.agentName });
  const budget = await budgetOf(services.db, { accountId: opened.session.accountId, holder });
  const limits = firstTerms(budget, request.now);
  request.show(claimPage(request, { session: opened.session, registration, attempt, ticked, limits }));
}

/** `POST /claim`: the user has decided. The registration is read again, since it may have changed. */
export async function answerClaim(services: WebsiteServices, post: FormPost): Promise<void> {
  const attempt = post.field("attempt");
  const opened = await openClaim(services, post, attempt);
  if (!opened) return;
  const { registration, session } = opened;
  const claim = { attempt, claimant: session, ip: post.ip, now: post.now };
  const ticked = post.fields("scope");
  const scopes = scopesOfRole(session.role).filter((scope) => ticked.includes(scope));
  const { terms, typed, problem } = termsIn(post);
  const showAgain = (problem: string) =>
    post.show(claimPage(post, { registration, session, attempt, ticked: scopes, limits: typed, problem }), 400);
  const decision = post.field("decision");
  if (decision === "decline") await post.sessionTx((tx) => declineClaim(tx, claim));
  else if (decision !== "allow") return showAgain("Choose Allow or Decline.");
  else {
    const code = post.field("user_code").trim();
    if (code === "") return showAgain("Enter the code that your agent shows you.");
    if (!scopesIn(registration.scopes).some((scope) => scopes.includes(scope)))
      return showAgain("Tick at least one permission, or decline.");
    if (problem !== null) return showAgain(problem);
    const { siteUrl } = services.config;
    const decided = await post.sessionTx(async (tx) => {
      const outcome = await approveClaim(tx, { ...claim, code, scopes });
      if (outcome.outcome === "claimed") {
        const holder = holderOf({ clientId: null, name: outcome.name });
        await setFirstLimits(tx, session, { holder, terms });
        await services.mailer.queue(tx, agentConnected({ ...outcome, to: session.email, siteUrl }));
      }
      return outcome;
    });
    if (decided.outcome === "wrong_code") return showAgain(wrongCode(decided.left));
  }
  post.redirect(pathOf(attempt));
}

/** The pending registration, for the user that it is meant for. Null: the request was answered with another page. */
async function openClaim(
  { db }: WebsiteServices,
  request: PageRequest,
  attempt: string,
): Promise<{ registration: RegistrationRow; session: Session } | null> {
  const registration = await registrationOfAttempt(db, attempt, request.now);
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
