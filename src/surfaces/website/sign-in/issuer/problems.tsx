import type { ComponentChildren } from "preact";
import { askAt } from "../../../../platform/config/config.ts";
import { AskAt } from "../../shell/deployment.tsx";
import type { PageRequest, WebsiteServices } from "../../shell/page-request.ts";
import { ISSUER_PATHS, withReturnTo } from "../../shell/return-to.ts";
import { IssuerFailure, type IssuerProblem, type IssuerRefusal } from "../domain.ts";

interface Problem {
  readonly title: string;
  readonly text: ComponentChildren;
  readonly status: number;
  readonly returnTo: string;
}

/** What the issuer said is told to nobody: anybody can write the address that a browser comes back with. */
const FAILURES: Readonly<Record<IssuerProblem, (name: string) => Omit<Problem, "returnTo">>> = {
  unreachable: (name) => ({
    title: `${name} cannot be reached`,
    text: `${name} does not answer, or answers with an error of its own. Nothing has changed. Try again in a few minutes.`,
    status: 503,
  }),
  declined: (name) => ({
    title: `${name} did not sign you in`,
    text: `You cancelled, or ${name} does not let you use this service. Whoever runs ${name} can say why.`,
    status: 403,
  }),
  not_again: (name) => ({
    title: "It is not shown that it is you",
    text: `${name} did not ask you to sign in again, or did not say so. Sign out there first, or prove in another way that it is you.`,
    status: 403,
  }),
  no_time: (name) => ({
    title: `${name} does not say when you signed in`,
    text: `You signed in there, and ${name} does not tell us when, as its protocol demands (auth_time): so it cannot be shown that it was just now. Nothing has changed. Prove in another way that it is you, or tell whoever runs this service: the page on single sign-on says how ${name} is set up to tell it.`,
    status: 502,
  }),
  invalid: (name) => ({
    title: `The answer of ${name} cannot be used`,
    text: `What came back is not an answer of ${name} to this sign-in. Try again. If it stays, tell whoever runs this service.`,
    status: 502,
  }),
};

/** What whoever runs the service has to know. */
const LOGGED: ReadonlySet<IssuerProblem> = new Set(["unreachable", "no_time", "invalid"]);

/** Shows that the issuer failed, and logs it in words of ours. @returns false for any other error */
export function showFailure(
  { log }: WebsiteServices,
  request: PageRequest,
  { thrown, name, returnTo }: { thrown: unknown; name: string; returnTo: string },
): boolean {
  if (!(thrown instanceof IssuerFailure)) return false;
  if (LOGGED.has(thrown.problem)) log.error({ reason: thrown.message }, "a sign-in by the issuer failed");
  showProblem(request, { ...FAILURES[thrown.problem](name), returnTo });
  return true;
}

/** Shows why nobody was signed in, confirmed or connected. */
export function showRefusal(
  { config }: WebsiteServices,
  request: PageRequest,
  { outcome, name, returnTo }: { outcome: IssuerRefusal; name: string; returnTo: string },
): void {
  const ask = <AskAt at={askAt(config)} />;
  const refusals: Readonly<Record<IssuerRefusal, Omit<Problem, "returnTo">>> = {
    unknown: {
      title: "This sign-in has ended",
      text: "It took longer than 15 minutes, was completed before, or began in another browser.",
      status: 410,
    },
    unverified: {
      title: `${name} has not confirmed your address`,
      text: `An account here begins with an e-mail address that ${name} has verified. Verify yours there, then try again.`,
      status: 403,
    },
    closed: {
      title: "Accounts are made by whoever runs this service",
      text: <>There is no account for you yet. Ask for one at {ask}.</>,
      status: 404,
    },
    account_exists: {
      title: "Sign in to your account once",
      text: config.localSignIn ? (
        <>
          An account has your address already. Sign in to it as you did until now, and connect it with {name}:{" "}
          <a href={withReturnTo("/sign-in", ISSUER_PATHS.connection)}>sign in and connect</a>.
        </>
      ) : (
        <>
          An account has your address already, and was not connected with {name} yet. Ask at {ask} for a link that signs
          you in to it once.
        </>
      ),
      status: 409,
    },
    address_kept: {
      title: "Your address is kept for another account",
      text: "An account had this address until lately, and can take it back for seven days. Try again after that.",
      status: 409,
    },
    another_person: {
      title: "That is another person",
      text: `Whoever signed in at ${name} is not who is signed in here. Sign out there, then try again.`,
      status: 403,
    },
    taken: {
      title: "That person has another account here",
      text: `Whoever signed in at ${name} is connected with another account of this service. Disconnect it there first.`,
      status: 409,
    },
    another_connected: {
      title: `Another person of ${name} is connected`,
      text: `The account is connected with another person of ${name}. Whoever can sign in to it can disconnect that one first.`,
      status: 409,
    },
    too_late: {
      title: "Prove again that it is you",
      text: "It has been more than an hour since you did. Nothing was connected.",
      status: 403,
    },
  };
  showProblem(request, { ...refusals[outcome], returnTo });
}

export function showProblem(request: PageRequest, { title, text, status, returnTo }: Problem): void {
  const back = request.session ? returnTo : withReturnTo("/sign-in", returnTo);
  const body = (
    <>
      <h1>{title}</h1>
      <p>{text}</p>
      <p>
        <a href={back}>{request.session ? "Back" : "Back to the sign-in page"}</a>
      </p>
    </>
  );
  request.show({ title: `${title} - Beckon`, body }, status);
}
