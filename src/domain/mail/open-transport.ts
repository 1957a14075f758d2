import type { Config } from "../../platform/config/config.ts";
import { consoleTransport } from "./console.ts";
import { fileTransport } from "./file.ts";
import { smtpTransport } from "./smtp.ts";
import type { Transport } from "./transport.ts";

/** The transport that the setting MAIL names. @throws Error when its address is invalid */
export function transportOf({ mail, mailFrom, siteUrl }: Pick<Config, "mail" | "mailFrom" | "siteUrl">): Transport {
  const from = mailFrom ?? `Beckon <beckon@${new URL(siteUrl).hostname}>`;
  if (mail === "console") return consoleTransport();
  if (mail.startsWith("file:")) return fileTransport(mail.slice("file:".length), from);
  return smtpTransport(mail, from);
}
