import type { VNode } from "preact";
import { Notice } from "../../components/notice.tsx";
import { localPath } from "../../shell/local-path.ts";
import type {
  FormPost,
  PageRequest,
  SignedInPost,
  SignedInRequest,
  WebsiteServices,
} from "../../shell/page-request.ts";
import { retryLater } from "../../shell/retry-later.ts";
import { CONFIRM_IDENTITY_PATH, LOST_FACTORS_PATH, withReturnTo } from "../../shell/return-to.ts";
import type { Factors } from "../domain.ts";
import { relyingPartyFor, visitorOf } from "../domain.ts";
import { FactorForm, factorProblem, factorProofIn } from "./factor-form.tsx";
import { setCookiesOf } from "./start-session.ts";

/** `GET /sign-in/confirm`: asks for a passkey or a code before something that spends or connects. */
export async function showConfirmIdentity(services: WebsiteServices, request: PageRequest): Promise<void> {
  const returnTo = localPath(request.query("return_to"));
  if (hasFactor(request)) await showForm(services, request, { returnTo });
  else askPassword(request, returnTo);
}

/** `POST /sign-in/confirm` */
export async function confirmIdentityPost(services: WebsiteServices, post: FormPost): Promise<void> {
  const returnTo = localPath(post.field("return_to"));
  if (!hasFactor(post)) return askPassword(post, returnTo);
  const { session, now } = post as SignedInPost;
  try {
    const proof = factorProofIn(services, post);
    const confirmation = { session, proof, visitor: visitorOf(post), now };
    const result = await services.users.factors.confirmByFactor(confirmation);
    if (result.outcome !== "shown")
      return await showForm(services, post, { returnTo, problem: factorProblem(result.outcome), status: 401 });
    await setCookiesOf(services, post, result.value);
    post.redirect(returnTo);
  } catch (thrown) {
    const { status, headers, text } = retryLater(thrown);
    post.res.set(headers);
    await showForm(services, post, { returnTo, problem: text, status });
  }
}

function hasFactor(request: PageRequest): request is SignedInRequest {
  return request.session?.hasFactor === true;
}

/** An account without a factor proves it by its password, on the page to sign in. */
function askPassword(request: PageRequest, returnTo: string): void {
  request.redirect(withReturnTo("/sign-in", returnTo, request.session ? { again: "1" } : {}));
}

async function showForm(
  services: WebsiteServices,
  request: PageRequest,
  { status, ...state }: { returnTo: string; problem?: string; status?: number },
): Promise<void> {
  const factors = await services.users.factors.factorsOf(request.session!.personId);
  const canUsePasskeys = relyingPartyFor(services, request) !== null;
  const body = <ConfirmIdentityView {...{ request, factors, canUsePasskeys, ...state }} />;
  request.show({ title: "Confirm that it is you - Beckon", forms: [], scripts: ["passkey"], body }, status);
}

interface ConfirmIdentityViewProps {
  readonly request: PageRequest;
  readonly factors: Factors;
  readonly canUsePasskeys: boolean;
  readonly returnTo: string;
  readonly problem?: string;
}

function ConfirmIdentityView(props: ConfirmIdentityViewProps): VNode {
  const { problem, ...form } = props;
  return (
    <>
      <h1>Confirm that it is you</h1>
      {problem && <Notice variant="bad">{problem}</Notice>}
      <p>
        You are signed in as {form.request.session?.email}. What comes next can spend credits or change who signs in.
      </p>
      <FactorForm {...form} action={CONFIRM_IDENTITY_PATH} />
      <p>
        <a href={LOST_FACTORS_PATH}>Lost your passkeys and codes?</a>
      </p>
      <p>
        Not you? <a href={withReturnTo("/sign-out", form.returnTo)}>Sign out</a>.
      </p>
    </>
  );
}
