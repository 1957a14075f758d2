import { cardMethodOf } from "../../domain/payments/find-method.ts";
import { SECURITY_LOG_KEPT } from "../../domain/security-log/security-log.ts";
import { DAY } from "../../platform/clock.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Document } from "./document.ts";
import { page, table } from "./markdown.ts";

/** The documents about the service as a contract, without those that the operator has written elsewhere (`config.policies`). */
export function policyDocuments(config: PolicyConfig): readonly Document[] {
  const documents = { privacy: privacyDocument, terms: termsDocument, support: supportDocument } as const;
  const names = Object.keys(documents) as (keyof typeof documents)[];
  return names.filter((name) => config.policies[name] === undefined).map((name) => documents[name](config));
}

type PolicyConfig = Pick<Config, "siteUrl" | "contact" | "policies" | "engines" | "mode" | "cards" | "direct" | "mail">;

/** Says in whose name the page speaks: the software knows what it does, and not who runs it. */
function preamble({ siteUrl, contact }: PolicyConfig): string {
  const reach = contact ? `at \`${contact}\`` : "by the ways on [support](/support)";
  return `This installation of Beckon, at \`${siteUrl}\`, is run by its operator, whom you reach ${reach}. The operator has not
published a page of their own here, so this one says what the software itself does. It makes no promise in the operator's
name.`;
}

function privacyDocument(config: PolicyConfig): Document {
  return {
    path: "/privacy",
    title: "Privacy",
    summary: "What Beckon stores about you, what it tells others, which cookies it sets, and how long it keeps what.",
    markdown: page(
      "# Privacy",
      preamble(config),
      "## What is stored",
      table(
        ["what", "why", "how long"],
        [
          [
            "e-mail address and name of the account",
            "signing in, and mail about the account",
            "as long as the account",
          ],
          [
            "the password as a hash (argon2id); passkeys as public keys; the secret of an authenticator app, sealed; recovery codes as hashes",
            "signing in",
            "until you change or remove them",
          ],
          [
            "browser and network address of each session",
            "you can see and end your sessions",
            "7 days without use, 30 at most",
          ],
          [
            "what happened to the security of the account, with the network address",
            "you can see it at [security](/dashboard/security)",
            `${SECURITY_LOG_KEPT / DAY} days`,
          ],
          [
            "API keys and tokens as hashes; names of keys, apps and agents; calls of each key by day",
            "access by programs",
            "until they end; calls for 400 days",
          ],
          ["mail to you, sealed", "sending it, also after an outage", "until it is sent, 3 days at most"],
          [
            "which [notices](/dashboard/notices) you have switched off",
            "mailing you no others",
            "as long as the account",
          ],
          ["an earlier e-mail address, after you have changed it", "undoing the change", "7 days"],
          [
            "the URLs you submit, when they were sent and checked, and what was found",
            "the service itself",
            "as long as the account",
          ],
          ["hosts that you verify", "submitting in their name", "as long as the account"],
          [
            "orders, payments and every change of the balance",
            "accounting; these entries are never changed",
            "as accounting requires",
          ],
        ],
      ),
      `Pages that you submit are read, and nothing of their text is stored: see [the fetcher](/bot). Card numbers never reach this
service.`,
      "## Who else learns something",
      thirdParties(config),
      "## Cookies",
      `\`sid\` keeps you signed in, for 30 days at most; \`known\` remembers for 400 days that you have signed in with this browser, so
that strangers who try your address cannot lock you out. Both are needed for signing in and are read by this service
only. There is no advertising, no analytics, and nothing is loaded from other sites.`,
      "## Your choices",
      `[Security](/dashboard/security) shows your sessions, factors and what happened; there you end sessions, change your
address and delete the account. [Keys](/dashboard/keys) and [apps](/dashboard/apps) end access by programs. Projects and links can be
downloaded as CSV and JSON.`,
      "## When you delete your account",
      `Access by programs ends at once, and what was not sent is cancelled. For seven days you can keep the account. Then the
credits that are left are lost, and everything above is deleted, but the orders, payments and changes of the balance: these
stay under a number, without your name and address. Backups of the operator keep what they had until they are deleted
themselves.`,
    ),
  };
}

/** Which other services get data, by what this deployment has configured. */
function thirdParties({ mode, engines, cards, direct, mail }: PolicyConfig): string {
  const card = cardMethodOf({ cards });
  const lines = [
    mode === "sandbox"
      ? "- **Search engines**: none. This is a sandbox, whose engines are simulated."
      : `- **Search engines and the services through which they are reached** get the URLs that you submit: ${
          engines.includes("live") ? "the providers that the operator has configured" : engines.join(", ")
        }.`,
    ...(card && !card.isSandbox
      ? [`- **${card.processor}** takes card payments, and gets the e-mail address of the account.`]
      : []),
    ...(direct ? ["- **A blockchain**: payments from a wallet are public, with the wallet's address."] : []),
    ...(/^smtps?:/.test(mail) ? ["- **A mail server** of the operator's choice carries mail to you."] : []),
    "- **Servers of your pages and sitemaps** see requests from this service.",
  ];
  return lines.join("\n");
}

function termsDocument(config: PolicyConfig): Document {
  return {
    path: "/terms",
    title: "Terms",
    summary: "What Beckon does for its credits, what it cannot promise, and what it must not be used for.",
    markdown: page(
      "# Terms",
      preamble(config),
      "## What a credit buys",
      `A credit pays for submitting a URL to search engines and for checking whether Google has it, at the [prices](/pricing)
shown before each order. Credits do not expire. The credits of a URL that is not indexed at its last check, or that was
not sent, come back by themselves: [how indexing works](/docs/concepts) has the rules.`,
      "## What cannot be promised",
      `Nobody can make a search engine index a page. Search engines and the services through which they are reached may be slow,
wrong or absent; a check that gives no reliable answer is decided in your favour. [Limits](/docs/limits) apply to every
account.`,
      "## What is not allowed",
      `Submit only URLs that may be public. Do not use the service to harm others: for malware, deception, or to overload
servers. Keys act in your name, so keep them secret, and give agents only what they need.`,
      "## The software",
      "Beckon is free software under the MIT licence, and comes without warranty.",
    ),
  };
}

function supportDocument({ siteUrl, contact }: PolicyConfig): Document {
  return {
    path: "/support",
    title: "Support",
    summary: "How to get help: where answers are, what to send, and whom to write to.",
    markdown: page(
      "# Support",
      "## Find it yourself",
      `- Every error names its page: [errors](/docs/errors) lists them all, with what to do.
- Why a URL is not indexed: its page in the [dashboard](/dashboard), and [codes of links](/docs/codes).
- Sign-in: [a new password](/forgot); other problems are explained in [signing in](/auth).
- [The docs](/docs) have a search.`,
      "## Ask the operator",
      contact
        ? `Write to \`${contact}\`. Name the project or order by its id, and the time; never send a key or password.`
        : `This installation is run by the operator of \`${siteUrl}\`, who has not published an address here. Whoever gave you access
knows how to reach them. Name the project or order by its id, and the time; never send a key or password.`,
      "## Report a vulnerability",
      contact
        ? "To the same address, or as `/.well-known/security.txt` says, if this service has one."
        : "To the operator, and faults of the software itself to its project.",
    ),
  };
}
