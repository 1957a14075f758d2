/** What is wrong with the form of a DATABASE_URL, or null. Never quotes the value, since any part of it may be a password. */
export function databaseUrlProblem(text: string): string | null {
  if (text.startsWith("file:")) return text.length > "file:".length ? null : "needs a path after file:";
  if (!/^postgres(?:ql)?:\/\//.test(text)) return `must be file:PATH or ${FORM}`;
  let url: URL;
  try {
    url = new URL(text);
    decodeURIComponent(url.password);
    decodeURIComponent(url.username);
  } catch {
    return `cannot be read as ${FORM}. In a user name or a password, write %40 for @, %3A for :, %2F for /, %23 for #, %25 for %`;
  }
  if (url.hostname === "") return `names no host: ${FORM}`;
  if (url.hash !== "") return "has a # in it. In a password, write %23 for it";
  return /^\/[^/]+$/.test(url.pathname) ? null : `names no database: ${FORM}`;
}

const FORM = "postgres://USER:PASSWORD@HOST:5432/DATABASE";
