import { personByEmail } from "../domain/people/people.ts";
import { recordSecurityEvent } from "../domain/security-log/security-log.ts";
import { createSignInLink, SIGN_IN_LINK_LIFETIME } from "../domain/users/sign-in-links.ts";
import { iso } from "../platform/clock.ts";
import { defineCommand } from "./command.ts";
import { knownAddress } from "./known-address.ts";
import { emailOf } from "./values.ts";
import { withInstance } from "./with-instance.ts";

export default defineCommand({
  name: "sign-in-link",
  about: "Make a link that signs one person in, once, within an hour",
  detail: [
    "For somebody who cannot sign in otherwise: the issuer of single sign-on is down, or does not know them yet. A passkey or code",
    "that the person requires is still asked for. The person's security log says that the link was made. Give it to nobody else.",
  ].join("\n"),
  options: { email: { value: "E", about: "E-mail address of the person", required: true } },
  examples: ["sign-in-link --email ann@example.com"],
  run: async ({ email }, { config }) => {
    const address = emailOf(email);
    const site = knownAddress(config.siteUrl, "SITE_URL");
    return withInstance(config, async ({ db, clock }) => {
      const now = clock.now();
      const secret = await db.tx(async (tx) => {
        const person = await personByEmail(tx, address);
        if (!person) throw new Error(`There is nobody with the address ${address}.`);
        await recordSecurityEvent(tx, {
          personId: person.id,
          kind: "sign_in_link_made",
          subject: "By the operator",
          now,
        });
        return createSignInLink(tx, { kind: "operator", email: address, now });
      });
      const url = `${site}/sign-in/link?${new URLSearchParams({ link: secret })}`;
      const expires_at = iso(now + SIGN_IN_LINK_LIFETIME);
      return { data: { url, expires_at }, text: `${url}\nIt works once, until ${expires_at}.` };
    });
  },
});
