import { displayName } from "../../../platform/display-name.ts";
import { Notice } from "../components/notice.tsx";
import { PATHS } from "../shell/addresses.ts";
import type { SignedInPost, WebsiteServices } from "../shell/page-request.ts";
import { ACCOUNT_NAME_LENGTH, rename } from "./domain.ts";
import { showProfile } from "./profile.tsx";

/** `POST /dashboard/profile/name`: names the account, by the rules of all names that are shown to others. */
export async function namePost(services: WebsiteServices, request: SignedInPost): Promise<void> {
  const name = displayName(request.field("name"), ACCOUNT_NAME_LENGTH);
  if (name === null || name === "") {
    const problem = name === "" ? "Enter a name." : `A name may have at most ${ACCOUNT_NAME_LENGTH} characters.`;
    const message = <Notice variant="bad">The name was not changed. {problem}</Notice>;
    return showProfile(services, request, { message, status: 400 });
  }
  await rename(request, name);
  request.redirect(`${PATHS.profile}?done=renamed`);
}
