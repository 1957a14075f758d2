/**
 * DATABASE_URL as pg is told it. pg takes `prefer`, `require` and `verify-ca` for `verify-full`, and warns on standard
 * error that a later version will not. Here they mean that for good, which is never less than was asked for; who wants
 * libpq's own meaning writes `uselibpqcompat=true`, which pg knows.
 */
export function addressOf(url: string): string {
  if (/[?&]uselibpqcompat=true(?:&|$)/.test(url)) return url;
  return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, "$1verify-full");
}
