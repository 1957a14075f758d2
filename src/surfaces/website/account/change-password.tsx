import { Notice } from "../components/notice.tsx";
import { PATHS } from "../shell/addresses.ts";
import { confirmByFactor, type SignedInPost, type WebsiteServices } from "../shell/page-request.ts";
import { passwordProblem, visitorOf } from "../sign-in/domain.ts";
import { setCookiesOf } from "../sign-in/users/start-session.ts";
import { showSecurity } from "./security.tsx";

/** `POST /dashboard/security/password` */
export async function changePasswordPost(services: WebsiteServices, request: SignedInPost): Promise<void> {
  const { session, now } = request;
  // The current password below is enough where there is no factor.
  if (!confirmByFactor(request, { formPage: PATHS.security })) return;
  const passwords = { current: request.field("current"), password: request.field("password") };
  const refuse = (why: string) =>
    showSecurity(services, request, { message: <Notice variant="bad">{why}</Notice>, status: 400 });
  const problem = await passwordProblem(passwords.password, session.email);
  if (problem) return refuse(`The password was not changed. ${problem}`);
  const change = { session, ...passwords, visitor: visitorOf(request), now };
  const secret = await services.users.changePassword(change);
  if (secret === null) return refuse("The password was not changed: the current password is wrong.");
  await setCookiesOf(services, request, secret);
  request.redirect(`${PATHS.security}?done=changed`);
}
