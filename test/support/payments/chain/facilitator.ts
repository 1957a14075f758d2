import type { IncomingMessage } from "node:http";
import { x402Facilitator } from "@x402/core/facilitator";
import { toFacilitatorEvmSigner } from "@x402/evm";
import { ExactEvmScheme } from "@x402/evm/exact/facilitator";
import { listen } from "../../service/listen.ts";
import { DEV_ACCOUNTS } from "./accounts.ts";
import type { ChainClient } from "./client.ts";

/** A fault of an answer. */
export type Fault =
  /** Cuts the connection without doing anything. */
  | "drop"
  /** Does its work, and cuts the connection before the answer. */
  | "drop_after"
  /** Does its work, and answers after `release`. */
  | "hold"
  /** Answers this: a string as it is, an object as JSON, or what a function makes of the true answer. */
  | {
      readonly says: string | object | ((truth: Readonly<Record<string, unknown>>) => unknown);
      /** Default: 200. */
      readonly status?: number;
      /** Does its work first; always true for a function. */
      readonly afterActing?: boolean;
    };

type Call = "supported" | "verify" | "settle";

/** A facilitator that runs the code of the x402 library, with faults that tests can set. */
export interface DevFacilitator {
  readonly url: string;
  /** Number of calls by endpoint. */
  readonly calls: Record<Call, number>;
  /** Faults by endpoint; null: none. They stay until a test removes them. */
  readonly faults: Record<Call, Fault | null>;
  /** Waits until an answer is held, and sends it. */
  release(): Promise<void>;
  close(): Promise<void>;
}

/** @param port default: a free one */
export async function startFacilitator(client: ChainClient, network: Network, port = 0): Promise<DevFacilitator> {
  const facilitator = new x402Facilitator().register(network, new ExactEvmScheme(signerOf(client)));
  const calls = { supported: 0, verify: 0, settle: 0 };
  const faults: DevFacilitator["faults"] = { supported: null, verify: null, settle: null };
  const held: (() => void)[] = [];
  let onHeld = () => {};

  const act = async (call: Call, req: IncomingMessage): Promise<Readonly<Record<string, unknown>>> => {
    if (call === "supported") return { ...facilitator.getSupported() };
    const { paymentPayload, paymentRequirements } = await bodyOf(req);
    return { ...(await facilitator[call](paymentPayload, paymentRequirements)) };
  };

  const hold = () =>
    new Promise<void>((go) => {
      held.push(go);
      onHeld();
    });

  const server = await listen(async (req, res) => {
    const call = CALLS[`${req.method} ${req.url}`];
    if (!call) return void res.writeHead(404).end();
    calls[call] += 1;
    const fault = faults[call];
    const reply = (status: number, content: unknown) => {
      const isText = typeof content === "string";
      res.writeHead(status, { "Content-Type": isText ? "text/html" : "application/json" });
      res.end(isText ? content : JSON.stringify(content));
    };
    try {
      if (fault === "drop") return void req.socket.destroy();
      const override = typeof fault === "object" ? fault?.says : undefined;
      const isActing =
        override === undefined || typeof override === "function" || (fault as { afterActing?: boolean }).afterActing;
      const truth = isActing ? await act(call, req) : {};
      if (fault === "drop_after") return void req.socket.destroy();
      if (fault === "hold") await hold();
      if (override === undefined) reply(200, truth);
      else
        reply(
          (fault as { status?: number }).status ?? 200,
          typeof override === "function" ? override(truth) : override,
        );
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
          onHeld = resolve;
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

/** The node signs for its account, so that concurrent payments get different nonces. */
function signerOf(client: ChainClient) {
  const { address } = DEV_ACCOUNTS.facilitator;
  return toFacilitatorEvmSigner({
    address,
    // The library may abandon this call, and would leave its rejection unhandled.
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

// biome-ignore lint/suspicious/noExplicitAny: the library validates it
async function bodyOf(req: IncomingMessage): Promise<any> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}
