import { oneLine } from "../../platform/text.ts";
import type { Transport } from "./transport.ts";

/** Prints mail to standard error, links included: for trying things out, where nobody else reads the output. */
export function consoleTransport(write: (text: string) => void = (text) => void process.stderr.write(text)): Transport {
  return {
    async deliver({ to, subject, text }) {
      write(`\n--- Mail to ${oneLine(to)}: ${oneLine(subject)} ---\n\n${text}\n--- End of mail ---\n\n`);
    },
    check: async () => "printed to standard error, sent to nobody",
  };
}
