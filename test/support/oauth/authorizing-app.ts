import type { TestService } from "../service/service.ts";
import { CHALLENGE } from "./app.ts";

export interface AuthorizingApp {
  readonly clientId: string;
  readonly redirectUri: string;
  /** @returns the authorization request; null removes a parameter, a list repeats it */
  address(changes?: Changes): string;
}

export type Changes = Readonly<Record<string, string | null | readonly string[]>>;

/** Registers an app, which can then ask for consent. */
export async function registerApp(
  { url }: Pick<TestService, "url">,
  { name = "Test app", redirectUri = "https://app.example/callback" } = {},
): Promise<AuthorizingApp> {
  const response = await fetch(`${url}/oauth/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ client_name: name, redirect_uris: [redirectUri] }),
  });
  if (response.status !== 201) throw new Error(`${response.status}: ${await response.text()}`);
  const { client_id } = (await response.json()) as { client_id: string };
  return appWithId(client_id, redirectUri);
}

/** An app with a known client_id. */
export function appWithId(clientId: string, redirectUri: string): AuthorizingApp {
  const usual = {
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: CHALLENGE,
    code_challenge_method: "S256",
    scope: "read index purchase",
    state: "from the app",
  };
  return {
    clientId,
    redirectUri,
    address(changes = {}) {
      const query = new URLSearchParams();
      for (const [name, value] of Object.entries({ ...usual, ...changes })) {
        for (const one of value === null ? [] : [value].flat()) query.append(name, one);
      }
      return `/oauth/authorize?${query}`;
    },
  };
}

/** The query parameters of a redirect to an app. */
export function redirectParameters(location: string | null): Record<string, string> {
  return Object.fromEntries(new URL(location ?? "").searchParams);
}
