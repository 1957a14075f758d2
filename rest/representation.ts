import type { Match, Route } from "./router.ts";

/** The representation that the path or `Accept` asks for; null is JSON. */
export function representationFor({ operation, representation }: Match, accept: string | undefined) {
  if (representation || !accept) return representation;
  const asked = qualities(accept);
  const json = asked.get("application/json") ?? 0;
  const wanted = (operation.representations ?? []).filter(({ mediaType }) => (asked.get(mediaType) ?? 0) > json);
  return (wanted[0] ?? null) as Route["representation"];
}

/** Media types named in full, with their q (RFC 9110 section 12.4.2); ranges such as `*` are ignored. */
function qualities(accept: string): Map<string, number> {
  return new Map(
    accept.split(",").map((part) => {
      const [type = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
      const quality = parameters.find((parameter) => parameter.startsWith("q="));
      return [type, quality ? Number(quality.slice(2)) || 0 : 1];
    }),
  );
}
