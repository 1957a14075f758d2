import type { Allow, Explorer } from "./world.ts";

// biome-ignore lint/suspicious/noExplicitAny: documents are read as a generic client reads them
type Json = any;

/**
 * By REST: the front page's Link header names the API catalog (RFC 9727), that the OpenAPI document, that every
 * operation; a 401 names the metadata of sign-in (RFC 9728, RFC 8414), and that how an agent registers.
 */
export async function restExplorer(origin: string): Promise<Explorer> {
  const front = await fetch(origin);
  const catalog = await json(linkOf(front.headers, "api-catalog", origin));
  const described = catalog.linkset.find((one: Json) => one["service-desc"]?.length > 0);
  const api = await json(described["service-desc"][0].href);
  const base: string = api.servers[0].url;
  let signedIn: SignedIn | null = null;

  /** The operation whose words fit, filled by the names of its own parameters. */
  async function call(words: RegExp, values: Record<string, unknown>): Promise<{ response: Response; body: Json }> {
    const [path, method, operation] = operationsOf(api).find(([, , { summary }]) => words.test(summary))!;
    const left = { ...values };
    const address = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = left[name];
      delete left[name];
      return encodeURIComponent(String(value));
    });
    const response = await fetch(`${base}${address}`, {
      method: method.toUpperCase(),
      headers: {
        ...(signedIn ? { Authorization: `Bearer ${signedIn.token}` } : {}),
        ...(operation.requestBody ? { "Content-Type": "application/json" } : {}),
      },
      ...(operation.requestBody ? { body: JSON.stringify(left) } : {}),
    });
    return { response, body: await response.json() };
  }

  return {
    estimate: async (urls) => (await call(/^estimate/i, { urls })).body,
    async signIn(allow) {
      const { response } = await call(/read the account/i, {});
      if (response.status !== 401) throw new Error(`a call without a credential was answered ${response.status}`);
      signedIn = await register(response.headers, allow);
    },
    buy: async () => (await call(/credits by card/i, { pack: "basic" })).body.checkout_url,
    submit: async (urls) => (await call(/^submit urls/i, { urls })).body.project.id,
    async outcome(projectId) {
      // Sixteen days are over, and an access token is good for an hour.
      await signedIn!.renew();
      return (await call(/^read a project/i, { project_id: projectId })).body;
    },
    close: async () => undefined,
  };
}

/** An agent that its user has allowed. */
export interface SignedIn {
  readonly token: string;
  /** Gets another token for the identity assertion. */
  renew(): Promise<void>;
}

/** What an agent does with a 401 when all it knows is its user's address. */
export async function register(challenged: Headers, allow: Allow): Promise<SignedIn> {
  const [, resource] = /resource_metadata="([^"]+)"/.exec(challenged.get("www-authenticate")!)!;
  const [issuer] = (await json(resource!)).authorization_servers;
  const server = await json(`${issuer}/.well-known/oauth-authorization-server`);
  const { claim, claim_token } = await sent(server.agent_auth.identity_endpoint, {
    "Content-Type": "application/json",
    body: JSON.stringify({ type: "service_auth", login_hint: allow.email, agent_name: "Explorer" }),
  });
  await allow.claim({ link: claim.verification_uri, code: claim.user_code });
  const token = async (ending: string, proof: Record<string, string>) => {
    const grant = server.grant_types_supported.find((one: string) => one.endsWith(ending));
    return sent(server.token_endpoint, {
      "Content-Type": "application/x-www-form-urlencoded",
      body: new URLSearchParams({ grant_type: grant, ...proof }).toString(),
    });
  };
  const first = await token(":claim", { claim_token });
  return {
    token: first.access_token,
    async renew() {
      const { access_token } = await token(":jwt-bearer", { assertion: first.identity_assertion });
      Object.assign(this, { token: access_token });
    },
  };
}

function operationsOf(api: Json): [path: string, method: string, operation: Json][] {
  return Object.entries(api.paths as Json).flatMap(([path, methods]) =>
    Object.entries(methods as Json).map(([method, one]) => [path, method, one] as [string, string, Json]),
  );
}

/** The target of a link relation in a Link header (RFC 8288). */
export function linkOf(headers: Headers, relation: string, base: string): string {
  const links = [
    ...(headers.get("link") ?? "").matchAll(/<([^>]+)>((?:\s*;\s*[\w*-]+\s*=\s*(?:"[^"]*"|[^",;\s]+))*)/g),
  ];
  const hit = links.find(([, , parameters]) => new RegExp(`rel="?[^"]*\\b${relation}\\b`).test(parameters!));
  if (!hit) throw new Error(`nothing is linked as ${relation}`);
  return new URL(hit[1]!, base).href;
}

export async function json(address: string): Promise<Json> {
  const response = await fetch(address);
  if (response.status !== 200) throw new Error(`${address} answered ${response.status}`);
  return response.json();
}

async function sent(address: string, { body, ...headers }: { body: string } & Record<string, string>): Promise<Json> {
  const response = await fetch(address, { method: "POST", headers, body });
  const answer = (await response.json()) as Json;
  if (response.status !== 200) throw new Error(`${address} answered ${response.status}: ${JSON.stringify(answer)}`);
  return answer;
}
