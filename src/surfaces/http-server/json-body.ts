import type { IncomingMessage } from "node:http";
import { Refusal } from "../../platform/errors/errors.ts";
import { hasBody } from "./body.ts";

const JSON_TYPES = ["application/json"];

/** A body, if there is one, must be JSON in UTF-8 (RFC 8259 section 8.1). @throws Refusal unsupported_media_type */
export function refuseUnlessJson(req: IncomingMessage, types: readonly string[] = JSON_TYPES): void {
  if (!hasBody(req)) return;
  const [type, ...parameters] = (req.headers["content-type"] ?? "").split(";").map((part) => part.trim().toLowerCase());
  if (!types.includes(type!)) {
    throw new Refusal("unsupported_media_type", `Send the body as \`Content-Type: ${types.join("` or `")}\`.`);
  }
  const charset = parameters.find((parameter) => parameter.startsWith("charset="));
  if (charset && !/^charset="?utf-?8"?$/.test(charset)) {
    throw new Refusal("unsupported_media_type", "Send the body in UTF-8.");
  }
}
