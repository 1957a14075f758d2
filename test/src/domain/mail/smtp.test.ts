import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { MailFailure } from "../../../../src/domain/mail/failure.ts";
import { smtpTransport } from "../../../../src/domain/mail/smtp.ts";
import { type MailServerOptions, mailServer, parseMessage } from "../../../support/network/smtp.ts";

const FROM = "Beckon <hello@beckon.test>";
const LINK = `https://beckon.test/confirm?link=lnk_${"x".repeat(43)}`;
const MAIL = {
  id: "mail_1",
  to: "ann@example.com",
  subject: "Open your account – now",
  text: `Hello,\n\n${LINK}\n\nBeckon\n`,
};
/** For a server that never answers: the others may take their time on a busy machine. */
const SHORT = { dnsTimeout: 300, connectionTimeout: 300, greetingTimeout: 300, socketTimeout: 300 };

async function server(options?: MailServerOptions) {
  const made = await mailServer(options);
  onTestFinished(() => made.close());
  return made;
}

/** A TCP server that does not speak SMTP. */
async function program(answer: (socket: Socket) => void): Promise<number> {
  const made = createServer((socket) => answer(socket.on("error", () => undefined))).listen(0, "127.0.0.1");
  onTestFinished(() => void made.close());
  await once(made, "listening");
  return (made.address() as AddressInfo).port;
}

async function failure(address: string, timeouts?: typeof SHORT): Promise<MailFailure> {
  const thrown = await smtpTransport(address, FROM, timeouts)
    .deliver(MAIL)
    .then(
      () => null,
      (thrown) => thrown,
    );
  expect(thrown).toBeInstanceOf(MailFailure);
  return thrown;
}

test("a message arrives, with login, STARTTLS, envelope and headers, its link in one piece", async () => {
  const { port, received } = await server({ login: { user: "beckon@x", pass: "p:w/d" } });
  await smtpTransport(`smtp://beckon%40x:p%3Aw%2Fd@127.0.0.1:${port}`, FROM).deliver(MAIL);
  const [got] = received;
  expect(got).toMatchObject({ from: "hello@beckon.test", to: ["ann@example.com"], user: "beckon@x", secure: true });
  const { headers, body } = parseMessage(got!.raw);
  expect(Object.fromEntries(headers)).toMatchObject({
    From: FROM,
    To: "ann@example.com",
    Subject: "=?UTF-8?Q?Open_your_account_=E2=80=93_now?=",
    "Auto-Submitted": "auto-generated",
    "Message-ID": "<mail_1@beckon.test>",
    Date: expect.stringMatching(/\+0000$/),
  });
  expect(headers.map(([name]) => name)).not.toContain("X-Mailer");
  expect(body).toContain(`\r\n${LINK}\r\n`);
});

test("smtps: TLS from the start", async () => {
  const { port, received } = await server({ tls: "always" });
  await smtpTransport(`smtps://127.0.0.1:${port}`, FROM).deliver(MAIL);
  expect(received).toMatchObject([{ secure: true }]);
});

test("a server on this machine needs no TLS", async () => {
  const { port, received } = await server({ tls: "none" });
  await smtpTransport(`smtp://localhost:${port}`, FROM).deliver(MAIL);
  expect(received).toMatchObject([{ secure: false, user: undefined }]);
});

// 0.0.0.0 leads to this machine, and is not one of the names it is known by.
test.each(["none", "starttls", "always"] as const)(
  "law: elsewhere nothing is sent without TLS that can be trusted: %s",
  async (tls) => {
    const login = { user: "beckon", pass: "password" };
    const { port, received } = await server({ tls, login });
    const { reason, isFinal } = await failure(
      `${tls === "always" ? "smtps" : "smtp"}://beckon:password@0.0.0.0:${port}`,
    );
    expect(reason).toMatch(/TLS|CERT|ESOCKET|SELF|50\d/);
    expect(isFinal).toBe(false);
    expect(received).toEqual([]);
  },
);

test.each([
  [550, true],
  [451, false],
])("a recipient refused with %i: final %s, and the error does not quote the server", async (refuse, isFinal) => {
  const { port } = await server({ refuse });
  const thrown = await failure(`smtp://127.0.0.1:${port}`);
  expect(thrown).toMatchObject({ reason: String(refuse), isFinal });
  expect(thrown.message).toBe(`127.0.0.1:${port} refuses the sender or the recipient (${refuse})`);
  expect(JSON.stringify(thrown) + thrown.stack).not.toMatch(/ann@|not here/);
});

test("a refused login is final, and the error does not quote it", async () => {
  const { port } = await server({ login: { user: "beckon", pass: "right" } });
  const thrown = await failure(`smtp://beckon:wrong-one@127.0.0.1:${port}`);
  expect(thrown).toMatchObject({ reason: "535", isFinal: true });
  expect(thrown.message + JSON.stringify(thrown)).not.toContain("wrong-one");
});

test("no server, no greeting and no mail server are failures that may pass", async () => {
  const gone = await mailServer();
  await gone.close();
  expect(await failure(`smtp://127.0.0.1:${gone.port}`)).toMatchObject({ reason: "ECONNREFUSED", isFinal: false });
  const silent = await program(() => undefined);
  expect(await failure(`smtp://127.0.0.1:${silent}`, SHORT)).toMatchObject({ reason: "ETIMEDOUT", isFinal: false });
  const web = await program((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
  expect(await failure(`smtp://127.0.0.1:${web}`)).toMatchObject({ isFinal: false });
});

test("check: says that the server is ready, and throws when it is not", async () => {
  const { port, received } = await server({ login: { user: "beckon", pass: "right" } });
  const check = (address: string) => smtpTransport(address, FROM).check();
  expect(await check(`smtp://beckon:right@127.0.0.1:${port}`)).toBe(`127.0.0.1:${port} is ready and accepts the login`);
  await expect(check(`smtp://beckon:wrong@127.0.0.1:${port}`)).rejects.toThrow("refuses the login (535)");
  expect(received).toEqual([]);
});

test.each(["smtp://", "smtp://user:pass word%@host", "smtp:///x", "mail.example.com"])(
  "%s is refused without being repeated",
  (address) => {
    expect(() => smtpTransport(address, FROM)).toThrow(/^MAIL is not the address of a mail server(?!.*pass word)/);
  },
);
