import { createTransport, type NodemailerError } from "nodemailer";
import { parseUrl } from "../../platform/text.ts";
import { MailFailure } from "./failure.ts";
import { messageOf } from "./message.ts";
import type { Transport } from "./transport.ts";

/** How long the server may take, in ms: to be resolved, to accept the connection, to greet, and between two replies. */
const TIMEOUTS = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/**
 * Sends messages by a mail server. `smtps:` uses TLS from the start (RFC 8314). `smtp:` requires STARTTLS (RFC 3207),
 * except for a server on this machine, where nobody can read along.
 * @param address `smtp://user:password@host:port`; port 587, for smtps 465
 * @throws Error when the address is invalid
 */
export function smtpTransport(address: string, from: string, timeouts: typeof TIMEOUTS = TIMEOUTS): Transport {
  const { host, port, secure, user, pass } = parseAddress(address);
  const isHere = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host);
  const server = createTransport({
    ...timeouts,
    host,
    port,
    secure,
    requireTLS: !secure && !isHere,
    // A server on this machine usually has no trusted certificate, and needs none.
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
      return `${name} is ready${user === "" ? "" : " and accepts the login"}`;
    },
  };
}

/** The parts of the address. @throws Error without quoting it, since it may contain a password */
function parseAddress(address: string) {
  const url = parseUrl(address);
  const secure = url?.protocol === "smtps:";
  try {
    const [user, pass] = [decodeURIComponent(url?.username ?? ""), decodeURIComponent(url?.password ?? "")];
    const host = url?.hostname.replace(/^\[|\]$/g, "");
    if (url && host) return { host, port: Number(url.port) || (secure ? 465 : 587), secure, user, pass };
  } catch {}
  throw new Error("MAIL is not the address of a mail server: smtp://user:password@host:port, percent-encoded");
}

/** A permanent reply (RFC 5321 section 4.2.1) is final; any other failure may pass. */
function failureOf({ code = "", originalCode = code, responseCode, permanent }: NodemailerError, name: string) {
  const reason = String(responseCode ?? originalCode);
  return new MailFailure(`${name} ${PROBLEMS[code] ?? "does not accept mail"} (${reason})`, reason, permanent === true);
}

const PROBLEMS: Readonly<Record<string, string>> = {
  EAUTH: "refuses the login",
  ECONNECTION: "closed the connection",
  EDNS: "cannot be resolved",
  EENVELOPE: "refuses the sender or the recipient",
  EPROTOCOL: "does not speak SMTP",
  ESOCKET: "cannot be reached",
  ETIMEDOUT: "does not reply in time",
  ETLS: "offers no trusted TLS",
};
