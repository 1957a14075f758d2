import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { build } from "esbuild";
import type { BrowserContextOptions } from "playwright-core";
import { afterAll, expect, onTestFinished } from "vitest";
import { startBrowser } from "../website/browser.ts";

/** Starts the host for the tests of a file. */
export async function viewHost() {
  const entryPoints = [join(import.meta.dirname, "view-host-page.ts")];
  const built = await build({ entryPoints, bundle: true, write: false, format: "iife", platform: "browser" });
  const page = `<!doctype html><meta charset="utf-8"><title>Host</title>
<style>body { margin: 0 } iframe { border: 0; height: 640px; width: 100% }</style><script src="/host.js"></script><body>`;
  const server = createServer(({ url }, res) =>
    url === "/host.js"
      ? res.setHeader("Content-Type", "text/javascript").end(built.outputFiles[0]!.contents)
      : res.setHeader("Content-Type", "text/html").end(url === "/" ? page : ""),
  ).listen(0, "127.0.0.1");
  await once(server, "listening");
  afterAll(() => server.close().closeAllConnections());
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const browse = await startBrowser();

  /** A view after the handshake. It must make no request and no error. */
  return async (html: string, given: HostGiven = {}, options: BrowserContextOptions = {}) => {
    const { capabilities = { openLinks: {} }, context = {}, tools = {} } = given;
    const host = await (await browse({ viewport: { width: 720, height: 660 }, ...options })).newPage();
    const faults: string[] = [];
    const requests: string[] = [];
    host.on("console", (said) => said.type() === "error" && faults.push(said.text()));
    host.on("pageerror", (err) => faults.push(String(err)));
    await host.goto(address);
    host.on("request", (request) => requests.push(request.url()));
    await host.evaluate(`put(${JSON.stringify(html)}, ${JSON.stringify({ capabilities, context, tools })})`);
    onTestFinished(() => {
      expect(faults).toEqual([]);
      expect(requests.filter((url) => !url.startsWith("about:"))).toEqual([]);
    });
    return {
      host,
      view: host.frames()[1]!,
      /** Has the host do something by a method of its bridge. */
      tell: (method: string, params: object) => host.evaluate(`bridge.${method}(${JSON.stringify(params)})`),
      seen: () => host.evaluate("seen") as Promise<Seen>,
    };
  };
}

export interface HostGiven {
  readonly capabilities?: object;
  readonly context?: object;
  /** Results of the tools that the view may call. */
  readonly tools?: Readonly<Record<string, object>>;
}

interface Seen {
  readonly links: string[];
  readonly calls: { readonly name: string; readonly arguments: object }[];
  readonly sizes: { readonly height: number }[];
  readonly app: { readonly name: string };
}

/** The result of a tool. */
export const answer = (of: object) => ({
  content: [{ type: "text", text: JSON.stringify(of) }],
  structuredContent: of,
});
