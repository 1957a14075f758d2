import { MailFailure } from "../../domain/mail/failure.ts";
import { transportOf } from "../../domain/mail/open-transport.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Check } from "./check.ts";

/** Whether mail can be sent. Addresses are verified by mailed links, so nobody can sign up without it. */
export async function checkMail(config: Config): Promise<Check> {
  const name = "Mail";
  try {
    return { name, ok: true, found: await (await transportOf(config)).check() };
  } catch (thrown) {
    const remedy =
      thrown instanceof MailFailure
        ? "Correct the host, port and login in MAIL, or check that the server is up."
        : "Correct MAIL, or the permissions of the folder it names.";
    return { name, ok: false, found: (thrown as Error).message, remedy };
  }
}
