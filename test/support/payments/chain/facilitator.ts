import type { IncomingMessage } from "node:http";
import { x402Facilitator } from "@x402/core/facilitator";
import { toFacilitatorEvmSigner } from "@x402/evm";
import { ExactEvmScheme } from "@x402/evm/exact/facilitator";
import { listen } from "../../service/listen.ts";
import { DEV_ACCOUNTS } from "./accounts.ts";
import type { ChainClient } from "./client.ts";

/** What goes wrong with an answer. */
export type Fault =
  /** Cuts the connection, and has done nothing. */
  | "drop"
  /** Does what it should, and cuts the connection before it says so. */
  | "drop_after"
  /** Does what it should, and says so after `release`. */
  | "hold"
  /** Says this: a text as it stands, an object as JSON, a function what it makes of the true answer. */
  | {
      readonly says: string | object | ((truth: Readonly<Record<string, unknown>>) => unknown);
      /** Default: 200. */
      readonly status?: number;
      /** Does what it should before; it does for a function. */
      readonly afterActing?: boolean;
    };

type Call = "supported" | "verify" | "settle";

/** A facilitator as others run them, with the library's own code, and with faults at will. */
export interface DevFacilitator {
  readonly url: string;
  /** How often it was asked. */
  readonly calls: Record<Call, number>;
  /** Null: none. They stay until they are taken away. */
  readonly faults: Record<Call, Fault | null>;
  /** Waits until an answer is held, and lets it go. */
  release(): Promise<void>;
  close(): Promise<void>;
}

/** @param port default: a free one */
export async function startFacilitator(client: ChainClient, network: Network, port = 0): Promise<DevFacilitator> {
  const facilitator = new x402Facilitator().register(network, new ExactEvmScheme(signerOf(client)));
  const calls = { supported: 0, verify: 0, settle: 0 };
  const faults: DevFacilitator["faults"] = { supported: null, verify: null, settle: null };
  const held: (() => void)[] = [];
  let heard = () => {};

  const act = async (call: Call, req: IncomingMessage): Promise<Readonly<Record<string, unknown>>> => {
    if (call === "supported") return { ...facilitator.getSupported() };
    const { paymentPayload, paymentRequirements } = await bodyOf(req);
    return { ...(await facilitator[call](paymentPayload, paymentRequirements)) };
  };

  const hold = () =>
    new Promise<void>((go) => {
      held.push(go);
      heard();
    });

  const server = await listen(async (req, res) => {
    const call = CALLS[`${req.method} ${req.url}`];
    if (!call) return void res.writeHead(404).end();
    calls[call] += 1;
    const fault = faults[call];
    const reply = (status: number, said: unknown) => {
      const isText = typeof said === "string";
      res.writeHead(status, { "Content-Type": isText ? "text/html" : "application/json" });
      res.end(isText ? said : JSON.stringify(said));
    };
    try {
      if (fault === "drop") return void req.socket.destroy();
      const said = typeof fault === "object" ? fault?.says : undefined;
      const isActing =
        said === undefined || typeof said === "function" || (fault as { afterActing?: boolean }).afterActing;
      const truth = isActing ? await act(call, req) : {};
      if (fault === "drop_after") return void req.socket.destroy();
      if (fault === "hold") await hold();
      if (said === undefined) reply(200, truth);
      else reply((fault as { status?: number }).status ?? 200, typeof said === "function" ? said(truth) : said);
    } catch {
      reply(500, { error: "internal" });
    }
  }, port);

  return {
    url: server.url,
    calls,
    faults,
    async release() {
      while (held.length === 0)
        await new Promise<void>((resolve) => {
          heard = resolve;
        });
      for (const go of held.splice(0)) go();
    },
    close: () => server.close(),
  };
}

export type Network = `eip155:${number}`;

const CALLS: Readonly<Record<string, Call>> = {
  "GET /supported": "supported",
  "POST /verify": "verify",
  "POST /settle": "settle",
};

/** Its account is one that the node itself signs for, so that payments at once get a nonce each. */
function signerOf(client: ChainClient) {
  const { address } = DEV_ACCOUNTS.facilitator;
  return toFacilitatorEvmSigner({
    address,
    // The library lets go of a question it has no more use for, and nobody would catch what it throws.
    getCode: (args) => client.getCode(args).catch(() => undefined),
    readContract: (args) => client.readContract(args as never),
    verifyTypedData: (args) => client.verifyTypedData(args as never),
    async writeContract(args) {
      const { request } = await client.simulateContract({ ...args, account: address, chain: null } as never);
      return client.writeContract(request as never);
    },
    sendTransaction: (args) => client.sendTransaction({ ...args, account: address, chain: null } as never),
    waitForTransactionReceipt: (args) => client.waitForTransactionReceipt(args),
  });
}

// biome-ignore lint/suspicious/noExplicitAny: the library judges it
async function bodyOf(req: IncomingMessage): Promise<any> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}
