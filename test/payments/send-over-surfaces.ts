import { codeOf, TestAgent } from "../support/a2a/test-agent.ts";
import { paidCall, poster } from "../support/mcp/post.ts";
import type { Buyer } from "./buyer.ts";
import type { Payment } from "./wallet.ts";

/** `paid`: the order is there. `pending`: 503 or 409, ask again. `refused`: 402, which asks for another payment. */
export type Outcome = "paid" | "pending" | "refused";

/** Sends a payment over one of the surfaces. @throws Error for a response that means none of these */
export type Send = (buyer: Buyer, payment: Payment) => Promise<Outcome>;

const OUTCOMES: Readonly<Record<string, Outcome>> = {
  payment_invalid: "refused",
  direct_payment_required: "refused",
  settlement_pending: "pending",
  unavailable: "pending",
  idempotency_in_flight: "pending",
};

export const SEND_OVER = {
  async REST(buyer, payment) {
    const { status, code, headers } = await buyer.send(payment);
    if (status === 200) return "paid";
    const outcome = outcomeOf(`${code}`);
    if ((status === 402) !== (outcome === "refused")) throw new Error(`${status} ${code}`);
    if (outcome === "pending" && (headers.get("payment-required") !== null || !headers.get("retry-after")))
      throw new Error(`${status} ${code} asks for a payment, or does not say when to ask again`);
    return outcome;
  },
  async MCP({ shop, key }, payment) {
    const { json } = await poster(shop.url)(paidCall("pay_direct", { pack: "basic" }, payment), { key });
    if (json.result.isError !== true) return "paid";
    const outcome = outcomeOf(JSON.parse(json.result.content.at(-1).text).error.code);
    if ((outcome === "refused") !== (json.result.structuredContent !== undefined))
      throw new Error(`${outcome} over MCP, and asks for a payment or not`);
    return outcome;
  },
  async A2A({ shop, key }, payment) {
    const metadata = { "x402.payment.status": "payment-submitted", "x402.payment.payload": payment };
    const data = { skill: "pay_direct", input: { pack: "basic" } };
    const task = await new TestAgent(shop.service).send(key, { data, metadata });
    if (task.status.state === "TASK_STATE_COMPLETED") return "paid";
    return task.status.state === "TASK_STATE_WORKING" ? "pending" : outcomeOf(`${codeOf(task)}`);
  },
} as const satisfies Record<string, Send>;

function outcomeOf(code: string): Outcome {
  const outcome = OUTCOMES[code];
  if (!outcome) throw new Error(`answered with ${code}`);
  return outcome;
}
