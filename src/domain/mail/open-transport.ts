import type { Config } from "../../platform/config/config.ts";
import { consoleTransport } from "./console.ts";
import type { Transport } from "./transport.ts";

/** The transport that the setting MAIL names, whose code is loaded for it. @throws Error when its address is invalid */
export async function transportOf({
  mail,
  mailFrom,
  siteUrl,
}: Pick<Config, "mail" | "mailFrom" | "siteUrl">): Promise<Transport> {
  const from = mailFrom ?? `Beckon <beckon@${new URL(siteUrl).hostname}>`;
  if (mail === "console") return consoleTransport();
  if (mail.startsWith("file:")) return (await import("./file.ts")).fileTransport(mail.slice("file:".length), from);
  return (await import("./smtp.ts")).smtpTransport(mail, from);
}
