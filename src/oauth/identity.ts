import { Refusal } from "../errors.ts";
import type { Endpoint } from "./endpoint.ts";

export const identity: Endpoint = {
  method: "POST",
  body: "json",
  errors: "object",
  async run() {
    throw new Refusal("internal", "Not built yet.");
  },
};
