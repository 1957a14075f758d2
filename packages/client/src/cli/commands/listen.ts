import { createHmac, randomBytes } from "node:crypto";
import { BeckonError } from "../../error.ts";
import type { Event } from "../../generated/shapes.ts";
import { pause } from "../../retry.ts";
import { type Command, type Context, textIn, UsageError } from "../command.ts";
import { plain } from "../table.ts";

export const listen: Command = {
  name: "listen",
  operands: "",
  about: "Print events as they happen, or forward them to a receiver on this machine",
  detail:
    "With --forward-to each event is POSTed once, signed as a webhook's messages are, by a secret that is printed at the start. Ctrl-C ends it.",
  options: {
    "forward-to": { value: "URL", about: "Address of this machine, e.g. localhost:8080/hook" },
    secret: { value: "S", about: "Sign with this secret, whsec_…; default: another one at each start" },
    after: { value: "ID", about: "Begin after this event; default: with what happens from now on" },
  },
  async run(_, values, context) {
    const target = textIn(values, "forward-to");
    const receiver = target === undefined ? null : receiverOf(target);
    const secret = textIn(values, "secret") ?? `whsec_${randomBytes(32).toString("base64")}`;
    const after = textIn(values, "after") ?? (await newestOf(context));
    await context.out(welcome(context, receiver, secret, after));
    const print = async (event: Event) => {
      const forwarded = receiver === null ? null : await forward(event, receiver, secret);
      await context.out(lineOf(event, forwarded, context.json));
    };
    await followEvents(after, context, print).catch((thrown) => {
      if (!context.signal.aborted) throw thrown;
    });
    return undefined;
  },
};

/** Prints the events after one as they happen, until the signal. */
async function followEvents(
  from: string | null,
  context: Context,
  print: (event: Event) => Promise<void>,
): Promise<never> {
  let after = from;
  for (let idle = 0; ; idle++) {
    for await (const event of eventsAfter(after, context)) {
      idle = 0;
      after = event.id;
      await print(event);
    }
    // Rarely after an hour without events, within the service's limits of a day.
    await pause(idle > 1_800 ? 10_000 : 2_000, context.signal);
  }
}

/** The events after one. A service that is away is asked again at the next turn. */
async function* eventsAfter(after: string | null, { client, signal, err }: Context): AsyncGenerator<Event> {
  try {
    yield* client.each("listEvents", after === null ? {} : { after }, { signal });
  } catch (thrown) {
    const isAway = thrown instanceof BeckonError && (thrown.status === null || thrown.status >= 500);
    if (!isAway) throw thrown;
    err(`${thrown.message} Trying again.\n`);
  }
}

async function newestOf({ client, signal }: Context): Promise<string | null> {
  let newest: string | null = null;
  for await (const { id } of client.each("listEvents", {}, { signal })) newest = id;
  return newest;
}

function welcome({ client, json }: Context, receiver: URL | null, secret: string, after: string | null): string {
  const signing = receiver === null ? null : secret;
  const listening = { source: client.origin, after, forward_to: receiver?.href ?? null, secret: signing };
  if (json) return `${JSON.stringify({ listening })}\n`;
  const forwarding = receiver === null ? "" : `Forwarding to ${receiver.href}, signed with ${secret}\n`;
  return `Listening to ${client.origin}. Ctrl-C ends it.\n${forwarding}`;
}

function lineOf(event: Event, forwarded: string | null, json: boolean): string {
  if (json) return `${JSON.stringify(forwarded === null ? event : { ...event, forwarded })}\n`;
  const line = plain(`${event.at}  ${event.type}  ${event.id}  ${JSON.stringify(event.data)}`);
  return forwarded === null ? `${line}\n` : `${line}\n  → ${forwarded}\n`;
}

/** @throws UsageError for an address of another machine */
function receiverOf(text: string): URL {
  const address = /^\w+:\/\//.test(text) ? text : `http://${text}`;
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url && /^https?:$/.test(url.protocol) && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname)) return url;
  throw new UsageError(`--forward-to: "${text}" is not an address of this machine. Tell other receivers by a webhook.`);
}

/** Sends an event as a webhook does (Standard Webhooks 1.0). @returns what became of it */
async function forward({ id, type, at, data }: Event, receiver: URL, secret: string): Promise<string> {
  const body = JSON.stringify({ type, timestamp: at, data });
  const seconds = String(Math.floor(Date.now() / 1_000));
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64");
  const headers = {
    "Content-Type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": seconds,
    "webhook-signature": `v1,${signature}`,
  };
  const begun = Date.now();
  try {
    const signal = AbortSignal.timeout(10_000);
    const { status } = await fetch(receiver, { method: "POST", headers, body, signal, redirect: "manual" });
    return `${status} in ${Date.now() - begun} ms`;
  } catch {
    return `failed after ${Date.now() - begun} ms`;
  }
}
