import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge";
import type { HostGiven } from "./view-host.ts";

/** The host of the MCP Apps SDK, in a browser: it frames a view in a sandbox of no origin, and notes what the view asks for. */

const seen = { links: [] as string[], calls: [] as unknown[], sizes: [] as unknown[], app: undefined as unknown };

async function put(html: string, { capabilities, context, tools }: Required<HostGiven>): Promise<void> {
  const frame = document.createElement("iframe");
  frame.sandbox.add("allow-scripts");
  document.body.append(frame);
  const bridge = new AppBridge(null, { name: "Host", version: "1.0.0" }, capabilities, {
    hostContext: context as Record<string, unknown>,
  });
  bridge.onopenlink = async ({ url }) => {
    seen.links.push(url);
    return {};
  };
  bridge.onsizechange = (size) => seen.sizes.push(size);
  bridge.oncalltool = async (call) => {
    seen.calls.push(call);
    const result = tools[call.name];
    if (!result) throw new Error("not here");
    return result as never;
  };
  const isReady = new Promise<void>((resolve) => {
    bridge.oninitialized = () => resolve();
  });
  const view = frame.contentWindow!;
  await bridge.connect(new PostMessageTransport(view, view));
  frame.srcdoc = html;
  await isReady;
  seen.app = bridge.getAppVersion();
  Object.assign(window, { bridge });
}

Object.assign(window, { seen, put });
