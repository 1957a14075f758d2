import type { Engine } from "../../../db/engine.ts";
import type { Mailer } from "../mail/mailer.ts";

/** What the verbs of this folder work with. */
export interface UserServices {
  readonly db: Engine;
  readonly mailer: Mailer;
  readonly siteUrl: string;
}

/** The browser that somebody sits before. */
export interface Visitor {
  readonly ip: string;
  /** In words: "Firefox on Linux". */
  readonly browser: string;
  /** SHA-256 of what its cookie holds. */
  readonly hash: string;
}
