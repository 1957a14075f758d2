import type { IncomingMessage } from "node:http";
import { VersionNotSupportedError } from "@a2a-js/sdk/errors";

/** The versions of the protocol that are served; 0.3 over JSON-RPC only. */
export type Version = "1.0" | "0.3";

/**
 * The client's version of the protocol (A2A 1.0 section 3.6): header `A2A-Version`, or the query parameter of that name.
 * A patch number is ignored; a client that sends none is taken for 0.3.
 * @throws VersionNotSupportedError
 */
export function versionOf(req: IncomingMessage): Version {
  const [, query = ""] = req.url!.split("?", 2);
  const header = req.headers["a2a-version"];
  const requested =
    (typeof header === "string" ? header.trim() : "") || new URLSearchParams(query).get("A2A-Version") || "";
  const [, version] = /^(\d{1,4}\.\d{1,4})(?:\.\d{1,4})?$/.exec(requested) ?? [];
  if (requested === "" || version === "0.3") return "0.3";
  if (version === "1.0") return "1.0";
  throw unsupportedVersion("This version of A2A is not supported.");
}

export function unsupportedVersion(why: string): Error {
  const message = `${why} Send the header \`A2A-Version: 1.0\`; over JSON-RPC, 0.3 is supported too.`;
  return new VersionNotSupportedError({ message, metadata: { supportedVersions: "1.0, 0.3" } });
}
