/**
 * DATABASE_URL in the form that pg gets. pg treats `prefer`, `require` and `verify-ca` as `verify-full`, and warns on standard
 * error that a later version will not. Here they always mean `verify-full`, which is never weaker than what was asked for. An
 * address with `uselibpqcompat=true` keeps the meaning of libpq.
 */
export function addressOf(url: string): string {
  if (/[?&]uselibpqcompat=true(?:&|$)/.test(url)) return url;
  return url.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, "$1verify-full");
}
