import { createHmac } from "node:crypto";
import type { Event } from "../generated/shapes.ts";
import { UsageError } from "./command.ts";

/** How long the receiver may take to answer, in ms. */
const ANSWER_MS = 15_000;

/** What became of an event that was sent. */
export interface Forwarded {
  /** What the receiver answered; null where it did not. */
  readonly status: number | null;
  readonly ms: number;
  /** Why there is no answer. */
  readonly reason: string | null;
}

/** A URL of this machine; its `http://` can be left out. @throws UsageError */
export function receiverOf(text: string): URL {
  const address = /^\w+:\/\//.test(text) ? text : `http://${text}`;
  const url = URL.canParse(address) ? new URL(address) : null;
  const isOurs = url !== null && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (isOurs && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "") return url;
  throw new UsageError(
    `--forward-to: "${text}" is not an address of this machine, as http://localhost:8080/hook is. Other receivers are told by a webhook: see save_webhook.`,
  );
}

/** @throws UsageError */
export function secretOf(text: string): string {
  if (/^whsec_[\w+/]{16,}={0,2}$/.test(text)) return text;
  throw new UsageError("--secret: has to be whsec_ and the base64 of the key.");
}

/** Sends an event once, as a webhook does (Standard Webhooks 1.0). @throws the reason of the signal */
export async function forwardEvent(
  { id, type, at, data }: Event,
  { receiver, secret }: { readonly receiver: URL; readonly secret: string },
  signal: AbortSignal,
): Promise<Forwarded> {
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
  const within = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
  try {
    const options = { method: "POST", headers, body, signal: within, redirect: "manual" } as const;
    const { status, body: answer } = await fetch(receiver, options);
    await answer?.cancel();
    return { status, ms: Date.now() - begun, reason: null };
  } catch (thrown) {
    signal.throwIfAborted();
    return { status: null, ms: Date.now() - begun, reason: reasonOf(thrown as Error) };
  }
}

function reasonOf({ name, cause }: Error): string {
  const { code } = (cause ?? {}) as { code?: string };
  return name === "TimeoutError" ? "timeout" : (code ?? "no answer");
}

/** For people. */
export function forwardedText({ status, ms, reason }: Forwarded): string {
  return status === null ? `failed after ${ms} ms: ${reason}` : `${status} in ${ms} ms`;
}
