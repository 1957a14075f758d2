import { StdioServerTransport, serveStdio as serve } from "@modelcontextprotocol/server/stdio";
import { BODIES } from "../limits/table.ts";
import type { McpLog, ToolCaller } from "./caller.ts";
import { createMcpServer } from "./server.ts";

/** A message may be as large as a submission over HTTP, and its envelope. */
const LARGEST_MESSAGE = BODIES.submission + 64 * 1024;

/**
 * Serves one client over this process's standard input and output, in either era of the protocol.
 * @returns when the client has gone and its last call has ended
 */
export async function serveStdio(caller: ToolCaller, log: McpLog): Promise<void> {
  const running = new Set<Promise<unknown>>();
  const tracked: ToolCaller = {
    siteUrl: caller.siteUrl,
    call(call) {
      const answer = caller.call(call);
      running.add(answer);
      return answer.finally(() => running.delete(answer));
    },
  };
  const over = new Promise<void>((resolve) => process.stdin.once("end", resolve).once("close", resolve));
  const handle = serve(() => createMcpServer(tracked, log), {
    transport: new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: LARGEST_MESSAGE }),
    onerror: (err) => log.debug?.({ err }, "protocol"),
  });
  await over;
  await handle.close();
  await Promise.allSettled(running);
}
