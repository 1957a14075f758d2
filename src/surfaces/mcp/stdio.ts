import { StdioServerTransport, serveStdio as serve } from "@modelcontextprotocol/server/stdio";
import { BODIES } from "../../platform/limits.ts";
import type { McpLog, ToolCaller } from "./caller.ts";
import { wholeLines } from "./line-splitter.ts";
import { redactMessage } from "./redact-sdk-errors.ts";
import { createMcpServer } from "./server.ts";

/** A message may be as large as a submission over HTTP, plus its envelope. */
const MAX_MESSAGE_BYTES = BODIES.submission + 64 * 1024;

/**
 * Serves one client over this process's standard input and output, in either era of the protocol.
 * @returns when the client has gone and its last call has ended
 */
export async function serveStdio(caller: ToolCaller, log: McpLog): Promise<void> {
  const { tracked, settled } = trackCalls(caller);
  await new Promise<void>((resolve) => {
    serve(() => createMcpServer(tracked, log), {
      transport: transportUntil(resolve),
      onerror: (err) => log.debug?.({ err }, "protocol"),
    });
  });
  process.stdin.destroy();
  await settled();
}

function transportUntil(closed: () => void): StdioServerTransport {
  const lines = process.stdin.pipe(wholeLines(MAX_MESSAGE_BYTES));
  const transport = new StdioServerTransport(lines, process.stdout, { maxBufferSize: MAX_MESSAGE_BYTES });
  const send = transport.send.bind(transport);
  transport.send = (message) => send(redactMessage(message));
  const close = transport.close.bind(transport);
  transport.close = async () => {
    await close();
    closed();
  };
  return transport;
}

/** The caller, and a promise of its running calls: a client may disconnect before they end. */
function trackCalls(caller: ToolCaller): { tracked: ToolCaller; settled: () => Promise<unknown> } {
  const running = new Set<Promise<unknown>>();
  let hasLeft = false;
  process.stdin.once("end", () => {
    hasLeft = true;
  });
  const tracked: ToolCaller = {
    siteUrl: caller.siteUrl,
    offered: () => caller.offered(),
    allows: (operation) => caller.allows(operation),
    call(call) {
      const answer = caller.call({ ...call, signal: unless(() => hasLeft, call.signal) });
      const ended: Promise<unknown> = answer.catch(() => undefined).then(() => running.delete(ended));
      running.add(ended);
      return answer;
    },
  };
  return { tracked, settled: () => Promise.all(running) };
}

/** The signal, but for an abort while `isIgnored`: the SDK ends all calls when a client disconnects, and they go on here. */
function unless(isIgnored: () => boolean, signal: AbortSignal | undefined): AbortSignal {
  const controller = new AbortController();
  signal?.addEventListener("abort", () => isIgnored() || controller.abort(), { once: true });
  return controller.signal;
}
