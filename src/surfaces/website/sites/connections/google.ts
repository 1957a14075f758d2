import { Refusal } from "../../../../platform/errors/errors.ts";
import { PATHS } from "../../shell/addresses.ts";
import { unlessEnded } from "../../shell/ended-session.ts";
import {
  confirmIdentity,
  type PageRequest,
  type SignedInPost,
  type SignedInRequest,
  type WebsiteServices,
} from "../../shell/page-request.ts";
import { acceptGoogle, askGoogle, canConnectGoogle } from "../domain.ts";

/** `POST /dashboard/connections/google`: leads to Google's consent. */
export async function connectGooglePost(services: WebsiteServices, post: SignedInPost): Promise<void> {
  if (!confirmIdentity(post, { formPage: PATHS.connections })) return;
  if (!canConnectGoogle(services.config)) throw new Refusal("not_found", "Search Console cannot be connected here.");
  post.redirect(await askGoogle(services, post, post.field("sitemaps") === "yes"));
}

/** `GET /dashboard/connections/google`: where Google leads back to. Its address holds the code, so it shows no page. */
export async function callbackPage(services: WebsiteServices, request: PageRequest): Promise<void> {
  const [state, code, error, iss] = ["state", "code", "error", "iss"].map((name) => request.query(name)) as [
    string,
    string,
    string,
    string,
  ];
  // Without a session nothing can be checked; the answer is then of no use to anybody.
  if (request.session === null || !canConnectGoogle(services.config)) return answer(request, "stale");
  const signedIn = request as SignedInRequest;
  await unlessEnded(
    async () => {
      const connected = await acceptGoogle(services, signedIn, { state, code, error, iss });
      if ("problem" in connected) answer(request, connected.problem);
      else request.redirect(`${PATHS.connections}?done=connected#${connected.id}`);
    },
    () => answer(request, "stale"),
  );
}

function answer(request: PageRequest, problem: string): void {
  request.redirect(`${PATHS.connections}?problem=${problem}`);
}
