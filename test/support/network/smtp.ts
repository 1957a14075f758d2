import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { certificate } from "./certificate.ts";

export interface Received {
  readonly from: string;
  readonly to: readonly string[];
  readonly user: string | undefined;
  /** Whether it was sent over TLS. */
  readonly secure: boolean;
  /** The message as received, headers and body. */
  readonly raw: string;
}

export interface MailServer {
  readonly port: number;
  readonly received: Received[];
  close(): Promise<void>;
}

/** How the server treats clients and recipients. */
export interface MailServerOptions {
  readonly login?: { user: string; pass: string };
  /** Refuses RCPT TO with this code; the text quotes the address, as real servers do. */
  readonly refuse?: number;
  readonly tls?: "starttls" | "always" | "none";
  readonly port?: number;
}

/** A mail server on this machine, with a self-signed certificate. */
export async function mailServer({ login, refuse, tls = "starttls", port = 0 }: MailServerOptions = {}) {
  const received: Received[] = [];
  const options: SMTPServerOptions = {
    ...certificate(["beckon.test"]),
    secure: tls === "always",
    hideSTARTTLS: tls === "none",
    authOptional: login === undefined,
    disableReverseLookup: true,
    closeTimeout: 100,
    onAuth: ({ username, password }, _session, done) =>
      username === login?.user && password === login?.pass
        ? done(null, { user: username })
        : done(new Error(`no ${username} with ${password} here`)),
    onRcptTo: ({ address }, _session, done) =>
      refuse === undefined ? done() : done(Object.assign(new Error(`<${address}> not here`), { responseCode: refuse })),
    async onData(stream, { envelope, user, secure }, done) {
      const raw = await text(stream).catch(() => null);
      // The client was killed in the middle: what has come is no message.
      if (raw === null) return done(new Error("not received in full"));
      const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
      received.push({ from, to: envelope.rcptTo.map(({ address }) => address), user: user as string, secure, raw });
      done();
    },
  };
  const server = new SMTPServer(options);
  // Some tests are about clients that break off a handshake.
  server.on("error", () => undefined);
  server.listen(port, "127.0.0.1");
  await once(server.server, "listening");
  const made: MailServer = {
    port: (server.server.address() as AddressInfo).port,
    received,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return made;
}

/** The headers of a message, unfolded, in order, and its body. */
export function parseMessage(raw: string): { headers: [name: string, value: string][]; body: string } {
  const end = raw.indexOf("\r\n\r\n");
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, " ")
    .split("\r\n");
  const headers = lines.map((line): [string, string] => [line.split(":")[0]!, line.slice(line.indexOf(":") + 2)]);
  return { headers, body: raw.slice(end + 4) };
}
