import { randomBytes } from "node:crypto";
import { BeckonError } from "../../error.ts";
import { FIELDS } from "../../generated/fields.ts";
import type { Event } from "../../generated/shapes.ts";
import { pause } from "../../retry.ts";
import { type Command, type Context, textIn, UsageError, type Values } from "../command.ts";
import { type Forwarded, forwardEvent, forwardedText, receiverOf, secretOf } from "../forward-event.ts";
import { plain } from "../safe-terminal.ts";

export const listen: Command = {
  name: "listen",
  operands: "",
  about: "Print the events of an account as they happen, or forward them to a receiver on this machine",
  detail: [
    "With --forward-to each event is POSTed once, signed like the messages of a webhook, with a secret that is printed at the start.",
    "With --json every line is one JSON document: first where it listens, then one event per line. Ctrl-C ends it.",
  ].join("\n"),
  options: {
    events: { value: "LIST", about: "Only events of these types, separated by commas" },
    "forward-to": { value: "URL", about: "Address of this machine, e.g. localhost:8080/hook" },
    secret: { value: "S", about: "Sign with this secret, whsec_…; default: a new one at each start" },
    after: { value: "ID", about: "Begin after this event; default: with what happens from now on" },
  },
  async run(_, values, context) {
    const types = typesIn(values);
    const target = targetIn(values);
    const after = textIn(values, "after") ?? (await newestOf(context));
    await context.out(welcome(context, target, after));
    const show = async (event: Event) => {
      if (types !== null && !types.has(event.type)) return;
      const forwarded = target && (await forwardEvent(event, target, context.signal));
      await context.out(textOf(event, forwarded, context.json));
    };
    await followEvents(after, context, show).catch((thrown) => {
      if (!context.signal.aborted) throw thrown;
    });
    return undefined;
  },
};

/** @throws UsageError */
function typesIn(values: Values): ReadonlySet<string> | null {
  const list = textIn(values, "events");
  if (list === undefined) return null;
  const known = FIELDS.listEvents.fields.type!.values!.filter((type) => type !== "any");
  const types = list.split(",").map((type) => type.trim());
  const unknown = types.find((type) => !known.includes(type));
  if (unknown === undefined) return new Set(types);
  throw new UsageError(`--events: "${unknown}" is not one of ${known.join(", ")}.`);
}

/** Where the events are sent, and the secret that signs them. */
interface Target {
  readonly receiver: URL;
  readonly secret: string;
}

/** @throws UsageError */
function targetIn(values: Values): Target | null {
  const [address, secret] = [textIn(values, "forward-to"), textIn(values, "secret")];
  if (address === undefined && secret !== undefined) throw new UsageError("--secret is of use with --forward-to only.");
  if (address === undefined) return null;
  return { receiver: receiverOf(address), secret: secretOf(secret ?? `whsec_${randomBytes(32).toString("base64")}`) };
}

/** Shows the events after one as they happen, until the signal. A service that is away is asked again. */
async function followEvents(from: string | null, context: Context, show: (event: Event) => Promise<void>) {
  const { client, signal, err } = context;
  let after = from;
  let isAway = false;
  for (let idle = 0; ; idle++) {
    try {
      for await (const event of client.each("listEvents", after === null ? {} : { after }, { signal })) {
        idle = 0;
        after = event.id;
        await show(event);
      }
      if (isAway) err("Connected again.\n");
      isAway = false;
      // Rarely after an hour without events, within the service's limits of a day.
      await pause(idle > 1_800 ? 10_000 : 2_000, signal);
    } catch (thrown) {
      const waitMs = waitOf(thrown);
      if (waitMs === null) throw thrown;
      isAway = true;
      err(`${plain((thrown as Error).message)} Trying again in ${Math.ceil(waitMs / 1_000)} s.\n`);
      await pause(waitMs, signal);
    }
  }
}

/** How long to leave the service alone after a failure, in ms; null for one that does not pass. */
function waitOf(thrown: unknown): number | null {
  if (!(thrown instanceof BeckonError)) return null;
  const { status, code, retryAfterSeconds } = thrown;
  const mayPass = code === "no_answer" || code === "timeout" || status === 429 || (status !== null && status >= 500);
  return mayPass ? (retryAfterSeconds ?? 10) * 1_000 : null;
}

async function newestOf({ client, signal }: Context): Promise<string | null> {
  let newest: string | null = null;
  for await (const { id } of client.each("listEvents", {}, { signal })) newest = id;
  return newest;
}

function welcome({ client, json }: Context, target: Target | null, after: string | null): string {
  const { receiver, secret } = target ?? {};
  const listening = { source: client.origin, after, forward_to: receiver?.href ?? null, secret: secret ?? null };
  if (json) return `${JSON.stringify({ listening })}\n`;
  const forwarding = receiver ? `Forwarding to ${receiver.href}, signed with ${secret}\n` : "";
  return `Listening to ${client.origin}. Ctrl-C ends it.\n${forwarding}`;
}

function textOf(event: Event, forwarded: Forwarded | null, json: boolean): string {
  if (json) return `${JSON.stringify(forwarded === null ? event : { ...event, forwarded })}\n`;
  const line = plain(`${event.at}  ${event.type}  ${event.id}  ${JSON.stringify(event.data)}`);
  return forwarded === null ? `${line}\n` : `${line}\n  → ${forwardedText(forwarded)}\n`;
}
