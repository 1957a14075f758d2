import { BeckonError } from "./error.ts";

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * The origin of a service; its `https://` can be left out. A credential must not travel in the clear, so plain http is
 * taken for this machine only.
 * @throws BeckonError bad_address
 */
export function originOf(address: string): string {
  const text = address.trim();
  const host = text.split(/[/:]/)[0]!;
  const scheme = LOOPBACK.test(host) ? "http" : "https";
  const url = parsed(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `${scheme}://${text}`);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new BeckonError("bad_address", `"${text}" is not the address of a service, as https://beckon.example is.`);
  if (url.username !== "" || url.password !== "")
    throw new BeckonError("bad_address", "The address of the service must not contain a user or a password.");
  if (url.protocol === "http:" && !LOOPBACK.test(url.hostname))
    throw new BeckonError("bad_address", `Use https://${url.host}: over http anybody on the way could read the key.`);
  return url.origin;
}

function parsed(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
