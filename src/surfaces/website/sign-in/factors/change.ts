import { PATHS } from "../../shell/addresses.ts";
import { confirmIdentity, type SignedInPost, type SignedInRequest } from "../../shell/page-request.ts";
import type { AddedFactor } from "../domain.ts";
import { visitorOf } from "../domain.ts";
import { showRecoveryCodes } from "./recovery-code-pages.tsx";

/** The user of a request, as the domain takes it. */
export function changeBy(request: SignedInRequest) {
  return { session: request.session, visitor: visitorOf(request), now: request.now };
}

/** Whether users have proved lately who they are; if not, the request is answered, and leads back to the security page. */
export function mayChange(request: SignedInRequest): boolean {
  return confirmIdentity(request, { formPage: PATHS.security });
}

/** Back to the security page, which says what was done. */
export function redirectDone(request: SignedInPost, done: string): void {
  request.redirect(`${PATHS.security}?done=${done}`);
}

/** Answers after a factor was added: with the recovery codes that came with the first one. */
export function answerAdded(request: SignedInPost, { secret, recoveryCodes }: AddedFactor, done: string): void {
  request.setSessionCookie(secret);
  if (recoveryCodes) showRecoveryCodes(request, recoveryCodes);
  else redirectDone(request, done);
}
