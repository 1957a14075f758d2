import { changePassword } from "../../../domain/users/change-password.ts";
import { passwordProblem } from "../../../domain/users/passwords.ts";
import { notice } from "../form.ts";
import type { SiteServices } from "../page-request.ts";
import { peopleOf, visitorOf } from "../users/visitor.ts";
import { PATHS, type SignedPost } from "./dashboard-page.ts";
import { showSecurity } from "./security.ts";

/** `POST /dashboard/security/password` */
export async function passwordPost(services: SiteServices, visit: SignedPost): Promise<void> {
  const { session, now } = visit;
  const change = { session, current: visit.field("current"), password: visit.field("password"), now };
  const refuse = (why: string) => showSecurity(services, visit, { said: notice(why, "bad"), status: 400 });
  const problem = passwordProblem(change.password, session.email);
  if (problem) return refuse(`The password was not changed. ${problem}`);
  const outcome = await changePassword(peopleOf(services), { ...change, visitor: visitorOf(visit) });
  if (outcome === "wrong") return refuse("The password was not changed: the current one is not right.");
  visit.go(`${PATHS.security}?done=changed`);
}
