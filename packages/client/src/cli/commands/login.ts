import { createClient } from "../../client.ts";
import { type Command, type Context, type Result, textIn, UsageError } from "../command.ts";
import { linesOf } from "../mcp/lines.ts";
import { openBrowser, signIn } from "../oauth.ts";
import { plain } from "../safe-terminal.ts";
import type { Login, Store } from "../store.ts";

export const login: Command = {
  name: "login",
  operands: "[URL]",
  about: "Sign in to a service in the browser, or store an API key",
  detail:
    "The sign-in is stored in your configuration folder, for you alone. Commands that name no service use this one. With --key a key is read from standard input, e.g. beckon login URL --key < key.txt",
  options: {
    key: { about: "Store an API key, which is read from standard input" },
    scopes: { value: "LIST", about: "What to ask for: read, index, purchase; default: read,index" },
    "no-browser": { about: "Print the address instead of opening it" },
  },
  async run([address, ...more], values, context) {
    if (more.length > 0) throw new UsageError("Name one service at a time.");
    const { origin } = createClient({ url: address ?? context.url });
    const scope = (textIn(values, "scopes") ?? "read,index").split(",").join(" ");
    const made = values.key
      ? await keyTyped(context)
      : await signedIn(context, origin, { scope, open: !values["no-browser"] });
    const credential = made.kind === "key" ? made.key : made.access;
    const account = await createClient({ url: origin, credential }).getAccount();
    await context.store.change(async (stored) => ({
      stored: { ...stored, url: origin, logins: { ...stored.logins, [origin]: made } },
      result: undefined,
    }));
    return said(plain(`Signed in to ${origin} as ${account.email}: ${account.credits} credits.`), {
      url: origin,
      account,
    });
  },
};

export const logout: Command = {
  name: "logout",
  operands: "",
  about: "Forget the sign-in, and disconnect it at the service",
  options: {},
  async run(_, __, { store, env, client: { origin } }) {
    const { logins: { [origin]: login } = {} } = await store.read();
    if (login?.kind === "oauth") {
      const body = new URLSearchParams({ token: login.refresh, client_id: login.clientId });
      await fetch(`${origin}/oauth/revoke`, { method: "POST", body, redirect: "error" }).catch(() => undefined);
    }
    if (login !== undefined) await forget(store, origin);
    const text = login === undefined ? `You were not signed in to ${origin}.` : `Signed out of ${origin}.`;
    const keyIsSet = Boolean(env.BECKON_API_KEY);
    const still = keyIsSet ? "\nBECKON_API_KEY is set: commands still use this key." : "";
    return said(text + still, { url: origin, was_signed_in: login !== undefined, key_is_set: keyIsSet });
  },
};

function forget(store: Store, origin: string): Promise<void> {
  return store.change(async (stored) => {
    const { [origin]: _, ...logins } = stored.logins ?? {};
    return { stored: { ...stored, logins }, result: undefined };
  });
}

function said(text: string, data: object): Result {
  return { data, text };
}

function signedIn(context: Context, origin: string, { scope, open }: { scope: string; open: boolean }): Promise<Login> {
  const show = (address: string) => {
    context.err(`Open this address to sign in:\n\n  ${address}\n\nWaiting. Ctrl-C ends it.\n`);
    if (open) openBrowser(address);
  };
  return signIn({ origin, scope, signal: context.signal, show });
}

/** @throws UsageError */
async function keyTyped(context: Context): Promise<Login> {
  const line = context.isInputTerminal ? await typedUnseen(context) : await firstLine(context);
  const key = line.trim();
  if (/^[\x21-\x7e]+$/.test(key)) return { kind: "key", key };
  throw new UsageError("That is not an API key. Nothing was stored.");
}

async function firstLine({ input }: Context): Promise<string> {
  for await (const line of linesOf(input)) return line;
  return "";
}

/** The text that is typed up to Enter, which the terminal does not show. @throws UsageError after Ctrl-C or Ctrl-D */
async function typedUnseen({ input, err, hideTyping }: Context): Promise<string> {
  // Before the prompt, after which somebody may type at once.
  hideTyping(true);
  try {
    err("Paste the API key, and press Enter; it is not shown: ");
    let typed = "";
    for await (const chunk of input) {
      for (const sign of Buffer.from(chunk).toString("latin1")) {
        if (sign === "\r" || sign === "\n") return typed;
        if (sign === "\x03" || sign === "\x04") throw new UsageError("Nothing was stored.");
        typed = sign === "\x7f" || sign === "\b" ? typed.slice(0, -1) : typed + sign;
      }
    }
    return typed;
  } finally {
    hideTyping(false);
    err("\n");
  }
}
