import type { Config } from "../../platform/config/config.ts";
import { consoleTransport } from "./console.ts";
import { fileTransport } from "./file.ts";
import type { Mail } from "./mailer.ts";
import { smtpTransport } from "./smtp.ts";

/** A way for mail to leave. */
export interface Transport {
  /** @throws MailFailure, or the error of a file that could not be written */
  deliver(mail: Mail): Promise<void>;
  /** Whether mail could leave now. @returns what was found, in words. @throws as `deliver` */
  check(): Promise<string>;
}

/** The one that MAIL names. @throws Error when it is no address */
export function transportOf({ mail, mailFrom, siteUrl }: Pick<Config, "mail" | "mailFrom" | "siteUrl">): Transport {
  const from = mailFrom ?? `Beckon <beckon@${new URL(siteUrl).hostname}>`;
  if (mail === "console") return consoleTransport();
  if (mail.startsWith("file:")) return fileTransport(mail.slice("file:".length), from);
  return smtpTransport(mail, from);
}
