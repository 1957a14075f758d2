import { Refusal } from "../../../../platform/errors/errors.ts";
import type { SignedInPost, WebsiteServices } from "../../shell/page-request.ts";
import { changeBy, mayChange, redirectDone } from "./change.ts";

/** `POST /dashboard/security/second-step`: whether a password alone signs in. */
export async function secondStepSettingPost({ users }: WebsiteServices, request: SignedInPost): Promise<void> {
  if (!mayChange(request)) return;
  const isRequired = request.field("required") === "yes";
  const change = { ...changeBy(request), isRequired };
  const isSet = await request.sessionTx((tx) => users.factors.setSecondStep(tx, change));
  if (!isSet) throw new Refusal("invalid_request", "Add a passkey or an authenticator app first.");
  redirectDone(request, isRequired ? "second_step_on" : "second_step_off");
}

/** `POST /dashboard/security/removal/cancel` */
export async function cancelRemovalPost({ users }: WebsiteServices, request: SignedInPost): Promise<void> {
  await request.sessionTx((tx) => users.factors.cancelOwnRemoval(tx, changeBy(request)));
  redirectDone(request, "removal_cancelled");
}
