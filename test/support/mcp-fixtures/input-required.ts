import {
  acceptedContent,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createRequestStateCodec,
  type InputRequests,
  type InputRequiredResult,
  inputRequired,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { NOTHING, said } from "./calls.ts";

/** The state travels through the client, so it is sealed; the key lives as long as this process. */
export const sealed = createRequestStateCodec<{ round: number; name?: string }>({
  key: crypto.getRandomValues(new Uint8Array(32)),
});

/** Tools that ask the client by answering `input_required` (2026-07-28). */
export function registerInputRequired(mcp: McpServer): void {
  for (const [name, run] of Object.entries(TOOLS)) {
    const config = { description: "Asks before it answers", inputSchema: NOTHING };
    mcp.registerTool(name, config, async (_, ctx) => run(ctx));
  }
}

type Asking = (ctx: ServerContext) => Promise<CallToolResult | InputRequiredResult>;

const TOOLS: Record<string, Asking> = {
  async test_input_required_result_elicitation(ctx) {
    const name = accepted(ctx, "user_name")?.name;
    return typeof name === "string" ? said(`Hello, ${name}!`) : inputRequired({ inputRequests: { user_name: NAME } });
  },

  async test_input_required_result_sampling(ctx) {
    const answer = response(ctx, "capital_question");
    return answer ? said(JSON.stringify(answer)) : inputRequired({ inputRequests: { capital_question: COMPLETION } });
  },

  async test_input_required_result_list_roots(ctx) {
    const answer = response(ctx, "client_roots");
    return answer ? said(JSON.stringify(answer)) : inputRequired({ inputRequests: { client_roots: ROOTS } });
  },

  async test_input_required_result_request_state(ctx) {
    if (accepted(ctx, "confirm") && ctx.mcpReq.requestState() !== undefined) return said("state-ok");
    return inputRequired({ inputRequests: { confirm: CONFIRM }, requestState: await sealed.mint({ round: 1 }) });
  },

  async test_input_required_result_tampered_state(ctx) {
    if (accepted(ctx, "confirm") && ctx.mcpReq.requestState() !== undefined) return said("integrity-ok");
    return inputRequired({ inputRequests: { confirm: CONFIRM }, requestState: await sealed.mint({ round: 1 }) });
  },

  async test_input_required_result_multiple_inputs(ctx) {
    const inputRequests = { user_name: NAME, greeting: COMPLETION, client_roots: ROOTS };
    if (Object.keys(inputRequests).every((name) => response(ctx, name))) return said("all three answered");
    return inputRequired({ inputRequests, requestState: await sealed.mint({ round: 1 }) });
  },

  async test_input_required_result_multi_round(ctx) {
    const { round, name } = ctx.mcpReq.requestState<{ round: number; name?: string }>() ?? { round: 0 };
    if (round === 0) {
      return inputRequired({ inputRequests: { step1: NAME }, requestState: await sealed.mint({ round: 1 }) });
    }
    if (round === 2) return said(`${name} likes ${accepted(ctx, "step2")?.color}`);
    const given = String(accepted(ctx, "step1")?.name);
    return inputRequired({
      inputRequests: { step2: COLOR },
      requestState: await sealed.mint({ round: 2, name: given }),
    });
  },

  async test_input_required_result_capabilities(ctx) {
    if (ctx.mcpReq.inputResponses) return said("answered");
    const envelope = ctx.mcpReq.envelope as Record<string, ClientCapabilities | undefined> | undefined;
    const declared = envelope?.[CLIENT_CAPABILITIES_META_KEY];
    const inputRequests: InputRequests = {
      ...(declared?.elicitation && { user_name: NAME }),
      ...(declared?.sampling && { greeting: COMPLETION }),
      ...(declared?.roots && { client_roots: ROOTS }),
    };
    return Object.keys(inputRequests).length > 0 ? inputRequired({ inputRequests }) : said("nothing can be asked");
  },

  async test_missing_capability(ctx) {
    return response(ctx, "answer") ? said("answered") : inputRequired({ inputRequests: { answer: COMPLETION } });
  },
};

function accepted(ctx: ServerContext, name: string) {
  return acceptedContent<Record<string, unknown>>(ctx.mcpReq.inputResponses, name);
}

function response(ctx: ServerContext, name: string): unknown {
  return ctx.mcpReq.inputResponses?.[name];
}

/** Asks the person for one field. */
export function ask(message: string, field: string, type: "string" | "boolean") {
  const requestedSchema = { type: "object" as const, properties: { [field]: { type } as never }, required: [field] };
  return inputRequired.elicit({ message, requestedSchema });
}

const NAME = ask("What is your name?", "name", "string");
const COLOR = ask("What is your favourite colour?", "color", "string");
const CONFIRM = ask("Please confirm", "ok", "boolean");
const ROOTS = inputRequired.listRoots();
const COMPLETION = inputRequired.createMessage({
  messages: [{ role: "user", content: { type: "text", text: "What is the capital of France?" } }],
  maxTokens: 100,
});
