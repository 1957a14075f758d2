import { ProtocolError, type Server } from "@modelcontextprotocol/server";
import { z } from "zod";
import { toRefusal } from "../../../platform/errors/errors.ts";
import type { EventCalls, McpLog, ToolCaller } from "../caller.ts";
import { refuseCursor } from "../cursor.ts";
import { asProtocolError } from "../protocol-error.ts";
import { EVENT_LIST } from "./catalog.ts";
import { eventsError } from "./wire.ts";

/** Our own reading of parameters says what is wrong in them. */
const ANY = { params: z.looseObject({}).optional() };

const COMPLETE = { resultType: "complete" } as const;

/** The types change only with a release. */
const CACHED = { ttlMs: 5 * 60_000, cacheScope: "public" } as const;

/** Answers the methods of MCP Events, but for `events/stream`, which needs the response itself. */
export function serveEvents(server: Server, caller: ToolCaller, log: McpLog): void {
  server.setRequestHandler("events/list", ANY, async (params) => {
    refuseCursor((params?.cursor as string | null | undefined) ?? undefined);
    return { events: EVENT_LIST, ...COMPLETE, ...CACHED };
  });
  for (const method of ["subscribe", "unsubscribe", "poll"] as const)
    server.setRequestHandler(`events/${method}`, ANY, async (params) => {
      return { ...(await answer(caller, log, (events) => events[method](params))), ...COMPLETE };
    });
  server.setRequestHandler("events/stream", ANY, async () => {
    const message = "Send events/stream by itself, with the headers of the protocol version and for text/event-stream.";
    throw eventsError("Unsupported", message, { feature: "deliveryMode", value: "push" });
  });
}

async function answer(caller: ToolCaller, log: McpLog, call: (events: EventCalls) => Promise<object>): Promise<object> {
  if (!caller.events) throw eventsError("Forbidden", "Events need a credential. Send one as for the tools.");
  try {
    return await call(caller.events);
  } catch (thrown) {
    throw asEventsError(thrown, caller.siteUrl, log);
  }
}

/** Whatever was thrown as an error of the extension. */
export function asEventsError(thrown: unknown, siteUrl: string, log: McpLog): ProtocolError {
  if (thrown instanceof ProtocolError) return thrown;
  const refusal = toRefusal(thrown);
  if (refusal !== thrown) log.error({ err: thrown }, "a call of MCP Events was not answered");
  if (refusal.code === "rate_limited") return eventsError("ResourceExhausted", refusal.message, { limit: "requests" });
  if (refusal.code === "unauthorized" || refusal.code === "insufficient_scope")
    return eventsError("Forbidden", refusal.message);
  return asProtocolError(refusal, siteUrl);
}
