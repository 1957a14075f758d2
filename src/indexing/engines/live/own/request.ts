import type { ApiRequest, ApiResponse } from "../../../../platform/http-client/http-client.ts";
import { type Api, ask } from "../api.ts";

/** Calls a Google API by an account's own connection. @throws UpstreamFailure when there is no answer */
export async function askAsConnection(
  api: Api,
  provider: string,
  connectionId: string,
  { headers, ...request }: Omit<ApiRequest, "timeMs">,
): Promise<ApiResponse> {
  const connections = api.connections!;
  const token = await connections.token(connectionId, provider);
  const answer = await ask(api, provider, { ...request, headers: { ...headers, Authorization: `Bearer ${token}` } });
  if (answer.status === 401) connections.forget(connectionId, token);
  // The Google account may have lost the property.
  if (answer.status === 403 || answer.status === 404) await connections.lookSoon(connectionId);
  return answer;
}
