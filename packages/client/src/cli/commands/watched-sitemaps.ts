import { type Command, countIn, onlyOperand, textIn } from "../command.ts";
import { list, table } from "../table.ts";

const EVERY = ["hour", "day", "week"] as const;
const NEW_PAGES = ["submit", "notify", "list"] as const;

export const watch: Command = {
  name: "watch",
  operands: "[SITEMAP]",
  about: "Watch a sitemap and submit its new pages, or list the watched sitemaps",
  detail:
    "If the sitemap is watched already, only the given options change. Other settings, such as pausing, are fields of watch_sitemap: see beckon call.",
  options: {
    every: { value: "TIME", about: "hour, day (default) or week", values: EVERY },
    new: { value: "WHAT", about: "With new pages: submit (default), notify or list", values: NEW_PAGES },
    "credits-per-month": { value: "N", about: "How many credits it may spend in a month; default: 1000" },
    include: { value: "LIST", about: "Only pages of these paths, separated by commas, e.g. /blog/*" },
  },
  async run(operands, values, { client, signal, width }) {
    if (operands.length === 0) {
      const answer = await client.listWatches({ limit: 200 }, { signal });
      const rows = answer.watches.map(
        ({ sitemap_url, status, pages, waiting, spent_this_month, credits_per_month }) => ({
          sitemap: sitemap_url,
          status,
          pages,
          waiting,
          "credits this month": `${spent_this_month} of ${credits_per_month}`,
        }),
      );
      return { data: answer, text: rows.length === 0 ? "No sitemap is watched." : table(rows, width) };
    }
    const every = textIn(values, "every") as (typeof EVERY)[number] | undefined;
    const new_pages = textIn(values, "new") as (typeof NEW_PAGES)[number] | undefined;
    const credits_per_month = countIn(values, "credits-per-month");
    const include = textIn(values, "include")?.split(",");
    const input = { sitemap_url: onlyOperand(operands, "SITEMAP"), every, new_pages, credits_per_month, include };
    const answer = await client.watchSitemap(input, { signal });
    const { watch } = answer;
    const text = list({
      watch: watch.id,
      sitemap: watch.sitemap_url,
      status: watch.reason === null ? watch.status : `${watch.status}: ${watch.reason}`,
      "looked at": `every ${watch.every}`,
      "new pages": watch.new_pages,
      "credits a month": `at most ${watch.credits_per_month}`,
      "next run": watch.next_run_at,
    });
    return { data: answer, text };
  },
};
