import type { Tx } from "../../../db/engine.ts";
import type { SecretBox } from "../../platform/secret-box.ts";
import type { Mail, Mailer } from "./mailer.ts";
import { insertMail } from "./rows.ts";

interface QueueDeps {
  readonly secretBox: SecretBox;
  /** Real time. */
  readonly now: () => number;
  /** Called when a mail is committed. */
  readonly onQueued: () => void;
}

/** Writes mail into the database, sealed, since it may contain links that let somebody in. */
export class MailQueue implements Mailer {
  readonly #deps: QueueDeps;

  constructor(deps: QueueDeps) {
    this.#deps = deps;
  }

  async queue(tx: Tx, mail: Mail | null): Promise<void> {
    const { secretBox, now, onQueued } = this.#deps;
    await insertMail(tx, secretBox, mail ?? NOBODY, now());
    tx.afterCommit(onQueued);
  }
}

/** Stands for a mail that is not sent. It is about as long as one that is. */
const NOBODY: Mail = { to: "", subject: "", text: " ".repeat(600) };
