/** Settings that everybody reads: on pages, on receipts, in mail and in headers. */
const PUBLISHED = [
  "SITE_URL",
  "CONTACT",
  "PRIVACY_URL",
  "TERMS_URL",
  "SUPPORT_URL",
  "SELLER",
  "CLIENT_PACKAGE",
  "MAIL_FROM",
] as const;

/** Keys of Stripe, of this service and of chains, and the beginning of a key file. */
const SHAPES = /\b(?:[rs]k_(?:live|test)|whsec|bk_(?:live|test))_\w{4}|\b0x[0-9a-f]{64}\b|-----BEGIN/i;

/** Shorter texts, such as a password of four letters, stand in addresses by chance. */
const LEAST = 8;

/** @returns what is wrong with each published setting that holds a secret, which is not repeated */
export function misplacedSecrets(env: NodeJS.ProcessEnv, secrets: readonly string[]): string[] {
  const known = secrets.filter(({ length }) => length >= LEAST);
  return PUBLISHED.flatMap((name) => {
    const value = env[name] ?? "";
    const isSecret = SHAPES.test(value) || known.some((secret) => value.includes(secret));
    return isSecret
      ? [`${name}: is published, and holds what looks like a secret; replace that secret at its provider`]
      : [];
  });
}
