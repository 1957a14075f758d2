import { z } from "zod";
import { webAddress } from "./schemas.ts";

/** The part of the settings table about whoever publishes the service. */
export const PUBLISHER_SETTINGS = {
  CONTACT: {
    schema: z
      .string()
      .max(200, "must have 200 characters or fewer")
      .regex(/^[\x21-\x7e]*$/, "must be one word of printable ASCII")
      .optional(),
    about: "E-mail address or page named in the User-Agent; default: `/bot` of SITE_URL",
  },
  PRIVACY_URL: {
    schema: webAddress.optional(),
    secret: false,
    about:
      "Your own privacy page, to which `/privacy` leads; default: a page that says what the software stores and passes on",
  },
  TERMS_URL: {
    schema: webAddress.optional(),
    secret: false,
    about:
      "Your own terms, to which `/terms` leads; default: a page that says what credits buy and what cannot be promised",
  },
  SUPPORT_URL: {
    schema: webAddress.optional(),
    secret: false,
    about: "Your own support page, to which `/support` leads; default: a page that names CONTACT",
  },
  OPENAI_APPS_CHALLENGE: {
    schema: z
      .string()
      .regex(/^[\x21-\x7e]{1,200}$/, "must be one word of printable ASCII")
      .optional(),
    secret: false,
    about:
      "The token by which OpenAI's plugin directory finds that the host is yours, served at `/.well-known/openai-apps-challenge`",
  },
} as const;
