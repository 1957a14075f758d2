import { SCOPES } from "../../../src/platform/principal.ts";
import type { TestService } from "../service/service.ts";
import type { PageSeen, User } from "../website/user.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests look at what came, whatever it is
type Body = any;

export interface OAuthResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

const CLAIM = "urn:beckon:agent-auth:grant-type:claim";
const RENEW = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/** An agent without a credential, which registers by the wire format of auth.md. */
export class Agent {
  readonly service: Pick<TestService, "url">;
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(service: Pick<TestService, "url">, headers: Record<string, string> = {}) {
    this.service = service;
    this.headers = headers;
  }

  register(email: string, more: object = {}): Promise<OAuthResponse> {
    const body = { type: "service_auth", login_hint: email, agent_name: "Release helper", ...more };
    return this.json("/api/agent/identity", body);
  }

  reissue(claimToken: string, more: object = {}): Promise<OAuthResponse> {
    return this.json("/api/agent/identity/claim", { claim_token: claimToken, ...more });
  }

  poll(claimToken: string, more: Record<string, string> = {}): Promise<OAuthResponse> {
    return this.form("/oauth/token", { grant_type: CLAIM, claim_token: claimToken, ...more });
  }

  renew(assertion: string, more: Record<string, string> = {}): Promise<OAuthResponse> {
    return this.form("/oauth/token", { grant_type: RENEW, assertion, ...more });
  }

  revoke(token: string): Promise<OAuthResponse> {
    return this.form("/oauth/revoke", { token });
  }

  /** Calls a protected resource. */
  async call(token: string, path = "/api/v1/account"): Promise<OAuthResponse> {
    const rpc = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "get_account", arguments: {} } };
    const isMcp = path === "/mcp";
    return this.#send(path, {
      method: isMcp ? "POST" : "GET",
      headers: {
        Authorization: `Bearer ${token}`,
        ...(isMcp ? { "Content-Type": "application/json", Accept: "application/json, text/event-stream" } : {}),
      },
      ...(isMcp ? { body: JSON.stringify(rpc) } : {}),
    });
  }

  async json(path: string, body: object): Promise<OAuthResponse> {
    const headers = { "Content-Type": "application/json" };
    return this.#send(path, { method: "POST", headers, body: JSON.stringify(body) });
  }

  async form(path: string, fields: Record<string, string>): Promise<OAuthResponse> {
    return this.#send(path, { method: "POST", body: new URLSearchParams(fields) });
  }

  async #send(path: string, init: RequestInit): Promise<OAuthResponse> {
    const headers = { ...this.headers, ...(init.headers as Record<string, string>) };
    const response = await fetch(`${this.service.url}${path}`, { ...init, headers });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json") && text !== "";
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  }
}

/** A user opens the link, types the code and allows the ticked scopes. @param body answer to the registration */
export async function allowAgent(
  user: User,
  body: Body,
  fill: Record<string, string | readonly string[]> = {},
): Promise<PageSeen> {
  const { verification_uri: link, user_code: code } = body.claim;
  const page = await user.get(link);
  return user.follow(await user.submit(page, { user_code: code, decision: "allow", ...fill }, "/claim"));
}

/** An agent to which `user` has allowed all that it asks for, and that has collected its tokens. */
export async function connectedAgent(
  service: Pick<TestService, "url">,
  { user, email }: { user: User; email: string },
  more: { agent_name?: string; scope?: string } = {},
): Promise<{ agent: Agent; registered: Body; tokens: Body }> {
  const agent = new Agent(service);
  const registered = (await agent.register(email, more)).body;
  await allowAgent(user, registered, { scope: more.scope?.split(" ") ?? SCOPES });
  const tokens = (await agent.poll(registered.claim_token)).body;
  return { agent, registered, tokens };
}
