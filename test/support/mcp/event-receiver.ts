import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A message that came: a question whether the receiver wants events, or an event. */
export interface Delivered {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at what came, whatever it is
  readonly json: any;
  readonly bytes: number;
  /** Which secrets of the receiver sign it, as Standard Webhooks 1.0 has it. */
  readonly signedBy: readonly string[];
}

type Answer = (res: ServerResponse, delivered: Delivered) => void;

const ECHO: Answer = (res, { json }) =>
  res.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify({ challenge: json.challenge }));
const TAKE: Answer = (res) => res.writeHead(200).end();

/** A receiver of MCP Events as ChatGPT's guide describes it. It echoes challenges and takes events, until it is told otherwise. */
export async function eventReceiver() {
  const challenges: Delivered[] = [];
  const events: Delivered[] = [];
  const secrets = new Set<string>();
  const answers = { challenge: ECHO, event: TAKE };
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on("data", (chunk) => chunks.push(chunk));
    req.on("end", () => {
      const body = Buffer.concat(chunks);
      const { headers, url } = req;
      const signedBy = [...secrets].filter((secret) => isSigned(headers, body, secret));
      const delivered = { path: url!, headers, json: JSON.parse(body.toString()), bytes: body.length, signedBy };
      const isChallenge = delivered.json.type === "verification";
      (isChallenge ? challenges : events).push(delivered);
      (isChallenge ? answers.challenge : answers.event)(res, delivered);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}/events`,
    origin,
    challenges,
    events,
    /** A secret that the receiver knows. */
    secret(bytes = 32, fill = secrets.size + 1): string {
      const secret = `whsec_${Buffer.alloc(bytes, fill).toString("base64")}`;
      secrets.add(secret);
      return secret;
    },
    /** Answers to challenges or events from now on. */
    answer(changed: Partial<typeof answers>): void {
      Object.assign(answers, changed);
    },
    ids: () => events.map(({ json }) => json.eventId as string),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

export type EventReceiver = Awaited<ReturnType<typeof eventReceiver>>;

function isSigned(headers: IncomingHttpHeaders, body: Buffer, secret: string): boolean {
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.`;
  const signature = createHmac("sha256", key).update(signed).update(body).digest("base64");
  return String(headers["webhook-signature"]).split(" ").includes(`v1,${signature}`);
}
