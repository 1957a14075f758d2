import { type Command, textIn } from "../command.ts";
import { callOnce } from "../once.ts";
import { plain } from "../safe-terminal.ts";
import { list, table } from "../table.ts";

const PACKS = ["basic", "pro", "premium", "agency"];

export const credits: Command = {
  name: "credits",
  operands: "",
  about: "Show the balance and the last movements, or get a link to buy credits",
  options: { buy: { value: "PACK", about: `Get a payment link for ${PACKS.join(", ")}`, values: PACKS } },
  async run(_, values, context) {
    const { client, signal, width } = context;
    const pack = textIn(values, "buy") as "basic" | "pro" | "premium" | "agency" | undefined;
    if (pack !== undefined) {
      const input = { pack };
      const answer = await callOnce(context, ["buyCredits", input], (idempotencyKey) =>
        client.buyCredits(input, { idempotencyKey, signal }),
      );
      return { data: answer, text: plain(`Pay here: ${answer.checkout_url}`) };
    }
    const [account, spending] = [await client.getAccount({}, { signal }), await client.getSpending({}, { signal })];
    const { entries } = await client.listLedger({ limit: 10 }, { signal });
    const { remaining, resets_at } = spending;
    const rows = entries.map(({ at, credits, balance_after, description }) => ({
      day: at.slice(0, 10),
      credits,
      balance: balance_after,
      what: description,
    }));
    const limit = remaining.day ?? remaining.month ?? remaining.total;
    const head = list({
      account: account.email,
      credits: account.credits,
      "may spend": limit === null ? "all of them" : `${limit}, until ${resets_at.day}`,
    });
    return {
      data: { account, spending, entries },
      text: rows.length === 0 ? head : `${head}\n\n${table(rows, width)}`,
    };
  },
};
