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
    return { name, ok: false, ...explained(thrown as NodeJS.ErrnoException, config) };
  }
}

/** Why nothing can be written to a folder, by the code of the system. */
const REASONS: Readonly<Record<string, string>> = {
  ENOTDIR: "a part of its path is a file, not a folder",
  EEXIST: "it is a file, not a folder",
  ENOENT: "the folder above it is not there, and cannot be made",
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  EROFS: "it is on a disk that is read-only",
  ENOSPC: "its disk is full",
  EDQUOT: "its disk is full",
};

function explained(thrown: NodeJS.ErrnoException, { mail }: Config): Required<Pick<Check, "found" | "remedy">> {
  const { code = "", message } = thrown;
  if (mail.startsWith("file:")) {
    const found = `no mail can be written to ${mail.slice("file:".length)}: ${REASONS[code] ?? message}`;
    return { found, remedy: "Set MAIL=file: to a folder in which this user may write, or correct its permissions." };
  }
  const isServer = thrown instanceof MailFailure;
  const remedy = isServer
    ? "Correct the host, port and login in MAIL, or check that the server is up."
    : "Correct the address in MAIL.";
  return { found: message, remedy };
}
