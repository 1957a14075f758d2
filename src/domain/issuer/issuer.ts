/** The issuer of OpenID Connect by which people sign in. It is asked for its configuration each time, so that its keys may rotate. */
export interface Issuer {
  /** What people call it. */
  readonly name: string;
  /** The address to which a browser goes to sign in there. @throws IssuerFailure */
  authorizationUrl(request: AuthorizationRequest): Promise<URL>;
  /** Redeems what the issuer sent the browser back with. @throws IssuerFailure */
  redeem(callback: Callback): Promise<Subject>;
  /** Where people sign out of the issuer too; null: it has no such page. @throws IssuerFailure */
  signOutUrl(): Promise<URL | null>;
  /** What the doctor reports of it. @throws IssuerFailure */
  examine(): Promise<Examination>;
}

/** Three texts that only the browser and this service can know, by which the answer is recognised. */
export interface Handshake {
  readonly state: string;
  readonly nonce: string;
  /** The code verifier of PKCE (RFC 7636). */
  readonly verifier: string;
}

export interface AuthorizationRequest extends Handshake {
  /** Whether somebody who is signed in there has to prove again who they are. */
  readonly isAgain: boolean;
}

export interface Callback extends Handshake {
  /** The query with which the browser came back. */
  readonly query: string;
  /** Where whoever signs in must have proved there who they are since then, in ms; undefined: at any time. */
  readonly provedSince?: number;
  readonly now: number;
}

/** A person, as the issuer knows them. */
export interface Subject {
  readonly issuer: string;
  readonly subject: string;
  /** When they last proved to the issuer who they are, in ms; null: it does not say. */
  readonly authenticatedAt: number | null;
  /** Their address, as the issuer tells it; null where it has not verified it. @throws IssuerFailure */
  verifiedEmail(): Promise<string | null>;
}

export interface Examination {
  /** Keys that can sign an ID token. */
  readonly keys: number;
  /** By how many ms this machine's clock is ahead of the issuer's; null: it does not say its time. */
  readonly aheadMs: number | null;
}

/**
 * `unreachable`: no answer, or an error of its own; `declined`: it refused to sign the person in, or they pressed cancel;
 * `not_again`: the person did not prove again who they are; `no_time`: the issuer does not say when; `invalid`: an answer that is not this issuer's, or not for us.
 */
export type IssuerProblem = "unreachable" | "declined" | "not_again" | "no_time" | "invalid";

/** An issuer failed. Its message is of our own words: what the issuer said is shown and logged nowhere. */
export class IssuerFailure extends Error {
  override readonly name = "IssuerFailure";
  readonly problem: IssuerProblem;

  /** @param reason a code of the library */
  constructor(problem: IssuerProblem, reason: string) {
    super(`${problem}: ${reason}`);
    this.problem = problem;
  }
}
