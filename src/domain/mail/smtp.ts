import { createTransport, type NodemailerError } from "nodemailer";
import { parseUrl } from "../../platform/text.ts";
import { MailFailure } from "./failure.ts";
import { messageOf } from "./message.ts";
import type { Transport } from "./transport.ts";

/** How long a server may take, in ms: to be found, to take the connection, to greet, and between two answers. */
const PATIENCE = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/**
 * Hands messages to a mail server. `smtps:` speaks TLS from the start (RFC 8314), `smtp:` turns to it with STARTTLS
 * (RFC 3207) and sends nothing without, but to this very machine, where nobody stands between.
 * @param address `smtp://user:password@host:port`; port 587, for smtps 465
 * @throws Error when it is no address
 */
export function smtpTransport(address: string, from: string, patience: typeof PATIENCE = PATIENCE): Transport {
  const { host, port, secure, user, pass } = read(address);
  const isHere = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host);
  const server = createTransport({
    ...patience,
    host,
    port,
    secure,
    requireTLS: !secure && !isHere,
    // A server on this machine has no certificate that anybody vouches for, and needs none.
    tls: { rejectUnauthorized: !isHere },
    ...(user === "" ? {} : { auth: { user, pass } }),
  });
  const name = `${host}:${port}`;
  return {
    async deliver(mail) {
      const message = await messageOf(mail, from);
      await server.sendMail(message).catch((thrown) => {
        throw failureOf(thrown, name);
      });
    },
    async check() {
      await server.verify().catch((thrown) => {
        throw failureOf(thrown, name);
      });
      return `${name} greets${user === "" ? "" : " and takes the login"}`;
    },
  };
}

/** What the settings say. @throws Error without repeating them: there is a password in them */
function read(address: string) {
  const url = parseUrl(address);
  const secure = url?.protocol === "smtps:";
  try {
    const [user, pass] = [decodeURIComponent(url?.username ?? ""), decodeURIComponent(url?.password ?? "")];
    const host = url?.hostname.replace(/^\[|\]$/g, "");
    if (url && host) return { host, port: Number(url.port) || (secure ? 465 : 587), secure, user, pass };
  } catch {}
  throw new Error("MAIL is not the address of a mail server: smtp://user:password@host:port, percent-encoded");
}

/** A permanent answer (RFC 5321 section 4.2.1) is final; anything else may pass. */
function failureOf({ code = "", originalCode = code, responseCode, permanent }: NodemailerError, name: string) {
  const reason = String(responseCode ?? originalCode);
  return new MailFailure(`${name} ${TROUBLES[code] ?? "does not take mail"} (${reason})`, reason, permanent === true);
}

const TROUBLES: Readonly<Record<string, string>> = {
  EAUTH: "refuses the login",
  ECONNECTION: "ends the connection",
  EDNS: "cannot be found",
  EENVELOPE: "refuses the sender or the recipient",
  EPROTOCOL: "does not speak SMTP",
  ESOCKET: "cannot be reached",
  ETIMEDOUT: "does not answer in time",
  ETLS: "offers no TLS that can be trusted",
};
