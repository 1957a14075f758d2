import type { VNode } from "preact";
import { Notice } from "../../components/notice.tsx";
import { localPath } from "../../shell/local-path.ts";
import type { FormPost, PageRequest, WebsiteServices } from "../../shell/page-request.ts";
import { retryLater } from "../../shell/retry-later.ts";
import { LOST_FACTORS_PATH, SECOND_STEP_PATH, withReturnTo } from "../../shell/return-to.ts";
import type { Factors, PendingSignIn } from "../domain.ts";
import { relyingPartyFor, visitorOf } from "../domain.ts";
import { FactorForm, factorProblem, factorProofIn } from "./factor-form.tsx";
import { startSession } from "./start-session.ts";

/** `GET /sign-in/second-step`: the password was right, and the account asks for a passkey or a code too. */
export async function showSecondStep(services: WebsiteServices, request: PageRequest): Promise<void> {
  const returnTo = localPath(request.query("return_to"));
  const pending = await pendingFor(services, request, returnTo);
  if (pending) await showForm(services, request, { pending, returnTo });
}

/** `POST /sign-in/second-step` */
export async function secondStepPost(services: WebsiteServices, post: FormPost): Promise<void> {
  const returnTo = localPath(post.field("return_to"));
  const pending = await pendingFor(services, post, returnTo);
  if (!pending) return;
  try {
    const proof = factorProofIn(services, post);
    const result = await services.users.factors.completeSignIn({
      pending,
      proof,
      visitor: visitorOf(post),
      now: post.now,
    });
    if (result.outcome !== "shown")
      return await showForm(services, post, { pending, returnTo, problem: factorProblem(result.outcome), status: 401 });
    if (result.value === null) return post.redirect(withReturnTo("/sign-in", returnTo));
    await startSession(services, post, result.value, returnTo);
  } catch (thrown) {
    const { status, headers, text } = retryLater(thrown);
    post.res.set(headers);
    await showForm(services, post, { pending, returnTo, problem: text, status });
  }
}

/** The sign-in of this browser that waits; null: there is none, and the request is answered. */
async function pendingFor(
  { users }: WebsiteServices,
  request: PageRequest,
  returnTo: string,
): Promise<PendingSignIn | null> {
  const pending = await users.pendingSignInOf(request.secret, request.now);
  // Somebody who is signed in is led on from there.
  if (!pending) request.redirect(withReturnTo("/sign-in", returnTo));
  return pending;
}

async function showForm(
  services: WebsiteServices,
  request: PageRequest,
  { pending, status, ...state }: { pending: PendingSignIn; returnTo: string; problem?: string; status?: number },
): Promise<void> {
  const factors = await services.users.factors.factorsOf(pending.personId);
  const canUsePasskeys = relyingPartyFor(services, request) !== null;
  const body = <SecondStepView {...{ request, factors, canUsePasskeys, ...state }} />;
  request.show({ title: "Second step - Beckon", forms: [], scripts: ["passkey"], body }, status);
}

interface SecondStepViewProps {
  readonly request: PageRequest;
  readonly factors: Factors;
  readonly canUsePasskeys: boolean;
  readonly returnTo: string;
  readonly problem?: string;
}

function SecondStepView(props: SecondStepViewProps): VNode {
  const { problem, ...form } = props;
  return (
    <>
      <h1>One more step</h1>
      {problem && <Notice variant="bad">{problem}</Notice>}
      <p>You have taken the first step. Your account also asks for a passkey or a code.</p>
      <FactorForm {...form} action={SECOND_STEP_PATH} />
      <p>
        <a href={LOST_FACTORS_PATH}>Lost your passkeys and codes?</a>
      </p>
      <p>
        Not you? <a href={withReturnTo("/sign-in", form.returnTo)}>Start again</a>.
      </p>
    </>
  );
}
