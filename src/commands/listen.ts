import { EVENT_TYPE_NAMES } from "../domain/events/types.ts";
import { newWebhookSecret } from "../domain/webhooks/secret.ts";
import type { Config } from "../platform/config/config.ts";
import { createHttpClient } from "../platform/http-client/http-client.ts";
import { type CommandContext, defineCommand, UsageError } from "./command.ts";
import { type EventSource, type ListedEvent, localSource, remoteSource } from "./event-source.ts";
import { followEvents } from "./follow-events.ts";
import { forwardEvent, forwardedText, forwardUrlOf, signingSecretOf } from "./forward-event.ts";
import { requireLocalDatabase } from "./local-database.ts";
import { untilStopped } from "./until-stopped.ts";
import { withInstance } from "./with-instance.ts";

export default defineCommand({
  name: "listen",
  about: "Print the events of an account as they happen, or forward them to a receiver on this machine",
  detail: [
    "Requires BECKON_API_KEY, with the scope read. With BECKON_URL it asks that service, otherwise the local database.",
    "With --forward-to each event is POSTed once, signed as a webhook's messages are, by a secret that is printed at the start.",
    "With --json every line is one JSON document: first where it listens, then an event each. Ctrl-C ends it.",
  ].join("\n"),
  options: {
    events: { value: "LIST", about: "Only events of these types, separated by commas" },
    "forward-to": { value: "URL", about: "Address of this machine to send them to, e.g. localhost:8080/hook" },
    secret: { value: "S", about: "Sign with this secret, whsec_…; default: another one at each start" },
    after: { value: "ID", about: "Begin after this event; default: with what happens from now on" },
  },
  async run({ events: list, "forward-to": address, secret: given, after }, context) {
    const { config } = context;
    const { apiKey: key, remoteUrl } = config;
    if (key === undefined) throw new UsageError("set BECKON_API_KEY to an API key of the account to listen to.");
    const types = list === undefined ? null : typesIn(list);
    if (address === undefined && given !== undefined)
      throw new UsageError("--secret is of use with --forward-to only.");
    const secret = given === undefined ? newWebhookSecret() : signingSecretOf(given);
    const target = address === undefined ? null : { url: forwardUrlOf(address), secret };
    if (remoteUrl === undefined) requireLocalDatabase(config);
    const listen = (source: EventSource) => listenTo(source, { types, target, after }, context);
    if (remoteUrl === undefined) await withInstance(config, (instance) => listen(localSource(instance, key)));
    else await withHttp(config, (http) => listen(remoteSource(http, remoteUrl, key)));
    return undefined;
  },
});

/** @throws UsageError */
function typesIn(list: string): ReadonlySet<string> {
  const types = list.split(",").map((type) => type.trim());
  const unknown = types.find((type) => !(EVENT_TYPE_NAMES as readonly string[]).includes(type));
  if (unknown === undefined) return new Set(types);
  throw new UsageError(`--events: "${unknown}" is not one of ${EVENT_TYPE_NAMES.join(", ")}.`);
}

interface ListenOptions {
  readonly types: ReadonlySet<string> | null;
  readonly target: { readonly url: string; readonly secret: string } | null;
  readonly after: string | undefined;
}

/** Prints events until the process is asked to stop. @throws Refusal */
async function listenTo(source: EventSource, { types, target, after }: ListenOptions, context: CommandContext) {
  const { config, json, print, progress } = context;
  const stopping = new AbortController();
  const { signal } = stopping;
  const stopped = untilStopped().then(() => stopping.abort());
  // Whoever reads its output has gone, as `head` does.
  process.stdout.once("error", () => stopping.abort());
  // As in a sandbox, where receivers on this machine are allowed.
  await withHttp({ ...config, mode: "sandbox", host: "127.0.0.1" }, async (http) => {
    const show = async (event: ListedEvent) => {
      if (!json) print(lineOf(event));
      const forwarded = target && (await forwardEvent(http, { ...target, signal }, event));
      if (json) print(JSON.stringify(forwarded ? { ...event, forwarded } : event));
      else if (forwarded) print(`  → ${forwardedText(forwarded)}`);
    };
    const onReady = (from: string | null) => {
      const listening = {
        source: source.name,
        after: from,
        forward_to: target?.url ?? null,
        secret: target?.secret ?? null,
      };
      print(json ? JSON.stringify({ listening }) : welcome(source, target));
    };
    const following = async () => {
      for await (const event of followEvents(source, { after, signal, onReady, progress }))
        if (types === null || types.has(event.type)) await show(event);
    };
    await Promise.race([stopped, following()]).catch((thrown) => {
      if (!signal.aborted) throw thrown;
    });
  });
}

async function withHttp(config: Config, work: (http: ReturnType<typeof createHttpClient>) => Promise<void>) {
  const http = createHttpClient(config);
  try {
    await work(http);
  } finally {
    await http.close();
  }
}

function welcome({ name }: EventSource, target: ListenOptions["target"]): string {
  const forwarding = target ? `\nForwarding to ${target.url}, signed with ${target.secret}` : "";
  return `Listening to ${name}. Ctrl-C ends it.${forwarding}`;
}

function lineOf({ at, type, id, data }: ListedEvent): string {
  // JSON leaves these characters as they are, and a terminal may obey them.
  const text = JSON.stringify(data).replace(/[\x7f-\x9f\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  return `${at}  ${type}  ${id}  ${text}`;
}
