import { z } from "zod";
import { credential, onOff } from "./schemas.ts";

/** The part of the settings table about sign-in by OpenID Connect. */
export const ISSUER_SETTINGS = {
  OIDC_ISSUER: {
    schema: z
      .url({ protocol: /^https?$/, error: "must be an https address" })
      .refine((text) => !/[?#@]/.test(text), "must carry no user name, query or fragment")
      .optional(),
    about:
      "Issuer of OpenID Connect by which people may sign in, to the letter as it names itself, e.g. `https://login.example.com/realms/staff`; requires OIDC_CLIENT_ID. Register `/sign-in/oidc/callback` of SITE_URL there as the redirect URI",
    secret: false,
  },
  OIDC_CLIENT_ID: { schema: credential, about: "This service's client id at the issuer", secret: false },
  OIDC_CLIENT_SECRET: {
    schema: credential,
    about: "This service's client secret at the issuer; none for a public client, which PKCE protects by itself",
    secret: true,
  },
  OIDC_NAME: {
    schema: z
      .string()
      .trim()
      .max(40, "must have 40 characters or fewer")
      .regex(/^[^\p{C}]+$/u, "must be printable")
      .optional(),
    about: "What people call the issuer, for buttons: “Sign in with NAME”; default: its host",
  },
  LOCAL_SIGN_IN: {
    schema: onOff.default("on"),
    about:
      "`off`: people sign in by the issuer alone, not by password, passkey or mailed link; the command `sign-in-link` still lets the operator in",
  },
} as const;
