import { type Command, onlyOperand, textIn } from "../command.ts";
import { estimateText } from "../estimate-text.ts";
import { callOnce } from "../once.ts";
import { table } from "../table.ts";
import { made, refuseAbove } from "./submit.ts";

export const resubmit: Command = {
  name: "resubmit",
  operands: "PROJECT",
  about: "Send URLs of a project that are not in Google again",
  detail:
    "Makes a new project, sent as before, and spends credits; --dry-run says how many. Change the pages first: the report says why they are not in Google. Pages that refused indexing when they were last read are left out, and so are URLs that are under way or have been found since.",
  options: {
    reasons: { value: "CODES", about: "Only URLs with these reasons, as the report names them, separated by commas" },
    "max-credits": { value: "N", about: "Refuse if it would cost more" },
    "dry-run": { about: "Say what it would cost, and spend nothing" },
    follow: { about: "Show the progress until each URL is decided" },
  },
  async run(operands, values, context) {
    const { client, signal, width } = context;
    const reasons = textIn(values, "reasons")
      ?.split(",")
      .flatMap((code) => code.trim() || []);
    const input = { project_id: onlyOperand(operands, "PROJECT"), ...(reasons ? { reasons } : {}) };
    if (values["dry-run"] || values["max-credits"] !== undefined) {
      const estimate = await client.estimateCost(input, { signal });
      if (values["dry-run"]) return { data: estimate, text: estimateText({ URLs: estimate.urls }, estimate) };
      refuseAbove(estimate.credits, values);
    }
    const answer = await callOnce(context, ["resubmit", input], (idempotencyKey) =>
      client.resubmit(input, { idempotencyKey, signal }),
    );
    const result = await made(answer, values, context);
    if (!result || answer.left_out.length === 0) return result;
    const rows = answer.left_out.map(({ reason, count }) => ({ "left out": reason, URLs: count }));
    return { ...result, text: `${result.text}\n\n${table(rows, width)}` };
  },
};
