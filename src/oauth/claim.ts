import { Refusal } from "../errors.ts";
import type { Endpoint } from "./endpoint.ts";

export const claim: Endpoint = {
  method: "POST",
  body: "json",
  errors: "object",
  async run() {
    throw new Refusal("internal", "Not built yet.");
  },
};
