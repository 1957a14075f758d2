import type { Engine } from "../../../db/engine.ts";
import type { Config } from "../../platform/config/config.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import type { Mailer } from "../mail/mailer.ts";

/** The services that the functions of this folder need. */
export interface UserServices {
  readonly db: Engine;
  readonly mailer: Mailer;
  readonly siteUrl: string;
  /** Whether strangers may create accounts. */
  readonly signUp: Config["signUp"];
  /** Whether people may sign in by more than the issuer. */
  readonly localSignIn: boolean;
  /** Opens the secrets of authenticator apps. */
  readonly secretBox: SecretBox;
}

/** The browser of a request. */
export interface Visitor {
  readonly ip: string;
  /** In words: "Firefox on Linux". */
  readonly browser: string;
  /** SHA-256 of the secret in its cookie, in hex. */
  readonly hash: string;
  /** What shows which accounts it has been signed in to (known-browsers.ts); "" for none. */
  readonly known: string;
}
