import type { IssuerSettings } from "../../platform/config/issuer.ts";
import type { HttpClient } from "../../platform/http-client/http-client.ts";
import type { Issuer } from "./issuer.ts";

/** The path to which an issuer sends browsers back. */
export const ISSUER_CALLBACK_PATH = "/sign-in/oidc/callback";

/** @param settings of the issuer, which is called through `http`, and only when somebody signs in */
export async function openIssuer(
  settings: IssuerSettings,
  { siteUrl, http }: { siteUrl: string; http: Pick<HttpClient, "callApi"> },
): Promise<Issuer> {
  const { openidIssuer } = await import("./openid.ts");
  return openidIssuer(settings, { redirectUri: `${siteUrl}${ISSUER_CALLBACK_PATH}`, siteUrl, http });
}
