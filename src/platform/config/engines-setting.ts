import { z } from "zod";
import { PROVIDER_NAMES } from "./provider-names.ts";
import { nameOf, names } from "./schemas.ts";

/** Names that stand for engines as a whole, each by itself. */
const WHOLE = ["sandbox", "live"];

/** `sandbox`, `live`, or names of providers. */
export const engines = names
  .prefault("sandbox")
  .pipe(z.array(nameOf([...WHOLE, ...PROVIDER_NAMES])).min(1, "must name an engine"))
  .refine((all) => all.length === 1 || !all.some((name) => WHOLE.includes(name)), {
    error: "must be sandbox alone, live alone, or names of providers",
  });
