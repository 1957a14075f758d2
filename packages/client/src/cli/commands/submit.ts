import type { Project } from "../../generated/shapes.ts";
import { type Command, type Context, countIn, type Result, textIn, UsageError, type Values } from "../command.ts";
import { estimateText } from "../estimate-text.ts";
import { follow } from "../follow.ts";
import { callOnce } from "../once.ts";
import { projectText } from "../project-text.ts";
import { type ReadUrls, readUrls } from "../read-urls.ts";
import { plain } from "../safe-terminal.ts";

export const submit: Command = {
  name: "submit",
  operands: "[URL… | FILE | -]",
  about: "Submit URLs for indexing, or a sitemap",
  detail:
    "A file, and - for standard input, is a list of URLs, a table with a column of URLs, or a sitemap. The command says what it has read and what it has left out. It spends credits; --dry-run says how many. If it is interrupted, run the same command again within a day: it uses the same idempotency key, so that nothing is spent twice.",
  options: {
    sitemap: { value: "URL", about: "Submit the pages of this sitemap or feed" },
    "only-new": { about: "Of a sitemap, only pages that were not submitted before" },
    mode: { value: "MODE", about: "standard (1 credit a URL) or instant (3)", values: ["standard", "instant"] },
    name: { value: "TEXT", about: "Name of the project; default: the domain of the first URL" },
    "drip-days": { value: "N", about: "Spread the sending over days", values: ["0", "3", "7", "14", "30"] },
    "hold-out": {
      value: "PERCENT",
      about: "Hold this part back, 5 to 50, and learn after two weeks whether sending has helped",
    },
    "no-bing": { about: "Do not send to Bing" },
    "no-yandex": { about: "Do not send to Yandex" },
    "add-https": { about: "Take addresses without a scheme, such as www.example.com, with https" },
    check: { about: "Only look up whether the URLs are in Google" },
    "max-credits": { value: "N", about: "Refuse if it would cost more" },
    "dry-run": { about: "Say what it would cost, and spend nothing" },
    follow: { about: "Show the progress until each URL is decided" },
  },
  async run(operands, values, context) {
    const sitemap = textIn(values, "sitemap");
    if (values.check && values["hold-out"] !== undefined) throw new UsageError("--check sends nothing to hold out.");
    if (sitemap !== undefined && (operands.length > 0 || values.check))
      throw new UsageError("Give either --sitemap or URLs; --check takes URLs.");
    if (sitemap === undefined)
      return submitListed(await readUrls(operands, context, values["add-https"] === true), values, context);
    return submitSitemap(sitemap, values, context);
  },
};

async function submitSitemap(sitemap_url: string, values: Values, context: Context): Promise<Result | undefined> {
  const { client, signal } = context;
  const read = { sitemap_url, skip_already_submitted: values["only-new"] === true };
  const settings = settingsIn(values);
  if (values["dry-run"]) {
    const { credits: prices, ...found } = await client.readSitemap({ ...read, limit: 0 }, { signal });
    const credits = await creditsOf(found.urls_remaining, { prices, settings }, context);
    const { urls_remaining: valid, invalid, duplicates, already_submitted } = found;
    const { credits: balance } = await client.getAccount({}, { signal });
    const price = { credits, balance, enough: balance >= credits };
    const text = estimateText({ URLs: valid, invalid, duplicates, "submitted before": already_submitted }, price);
    return { data: { ...found, ...price }, text };
  }
  if (values["max-credits"] !== undefined) return submitPriced(read, values, context);
  const input = { ...read, ...settings };
  const answer = await callOnce(context, ["submitSitemap", input], (idempotencyKey) =>
    client.submitSitemap(input, { idempotencyKey, signal }),
  );
  return made(answer, values, context);
}

/** What a sitemap costs. The price of a part that is held back depends on its size. */
async function creditsOf(
  count: number,
  { prices, settings }: { prices: Readonly<Record<"standard" | "instant", number>>; settings: Settings },
  { client, signal }: Context,
): Promise<number> {
  const { mode: kind = "standard", holdout_percent } = settings;
  if (holdout_percent === undefined || count === 0) return prices[kind];
  return (await client.estimateCost({ kind, count, holdout_percent }, { signal })).credits;
}

/** Submits the very pages that were priced: the sitemap itself could have more of them a moment later. */
async function submitPriced(
  read: { sitemap_url: string; skip_already_submitted: boolean },
  values: Values,
  context: Context,
): Promise<Result | undefined> {
  const { client, signal } = context;
  const { credits: prices, urls, ...found } = await client.readSitemap(read, { signal });
  const settings = settingsIn(values);
  refuseAbove(await creditsOf(urls.length, { prices, settings }, context), values);
  if (urls.length === 0) return nothingNew({ ...found, project: null });
  const input = { urls, ...settings };
  const { invalid, duplicates, urls_remaining, already_submitted } = found;
  const answer = await callOnce(context, ["submitUrls", input], (idempotencyKey) =>
    client.submitUrls(input, { idempotencyKey, signal }),
  );
  return made({ ...answer, invalid, duplicates, urls_remaining, already_submitted }, values, context);
}

/** @throws UsageError where it would cost more than the person wants to spend */
export function refuseAbove(credits: number, values: Values): void {
  const most = countIn(values, "max-credits");
  if (most === undefined || credits <= most) return;
  throw new UsageError(`It would cost ${credits} credits, more than --max-credits ${most}. Nothing was spent.`);
}

async function submitListed(read: ReadUrls, values: Values, context: Context): Promise<Result | undefined> {
  const { client, signal } = context;
  const { urls } = read;
  const kind = values.check ? "check" : ((textIn(values, "mode") ?? "standard") as "standard" | "instant");
  if (values["dry-run"] || values["max-credits"] !== undefined) {
    const { holdout_percent } = settingsIn(values);
    const held = holdout_percent === undefined ? {} : { holdout_percent };
    const estimate = await client.estimateCost({ kind, urls: [...urls], ...held }, { signal });
    const { urls: valid, credits } = estimate;
    const { invalid, duplicates } = withLeftOut(estimate, read);
    if (values["dry-run"])
      return {
        data: { ...estimate, invalid, duplicates },
        text: estimateText({ URLs: valid, invalid, duplicates }, estimate),
      };
    refuseAbove(credits, values);
  }
  const { name, ...settings } = settingsIn(values);
  const input = { urls: [...urls], ...(name === undefined ? {} : { name }), ...(values.check ? {} : settings) };
  const operation = values.check ? "checkUrls" : "submitUrls";
  const answer = await callOnce(context, [operation, input], (idempotencyKey) =>
    client[operation](input, { idempotencyKey, signal }),
  );
  return made(withLeftOut(answer, read), values, context);
}

/** An answer that counts what was left out of the files as well. */
function withLeftOut<T extends { invalid: number; duplicates: number; invalid_examples?: readonly unknown[] }>(
  answer: T,
  { invalid, duplicates }: ReadUrls,
): T {
  const examples = invalid.map((text) => [...text].slice(0, 200).join(""));
  const all = { ...answer, invalid: answer.invalid + invalid.length, duplicates: answer.duplicates + duplicates };
  if (!answer.invalid_examples) return all;
  return { ...all, invalid_examples: [...answer.invalid_examples, ...examples].slice(0, 10) };
}

type Settings = ReturnType<typeof settingsIn>;

function settingsIn(values: Values) {
  const percent = countIn(values, "hold-out");
  const days = countIn(values, "drip-days") as 0 | 3 | 7 | 14 | 30 | undefined;
  const [name, mode] = [textIn(values, "name"), textIn(values, "mode") as "standard" | "instant" | undefined];
  return {
    ...(name === undefined ? {} : { name }),
    ...(mode === undefined ? {} : { mode }),
    ...(days === undefined ? {} : { drip_days: days }),
    ...(percent === undefined ? {} : { holdout_percent: percent }),
    ...(values["no-bing"] ? { bing: false } : {}),
    ...(values["no-yandex"] ? { yandex: false } : {}),
  };
}

/** What the operations that make a project answer. */
interface Made {
  readonly project: Project | null;
  readonly invalid: number;
  readonly duplicates: number;
  readonly balance: number;
  readonly urls_remaining?: number;
  readonly already_submitted?: number;
  readonly experiment?: { readonly id: string; readonly held: number } | undefined;
}

const nothingNew = (data: object): Result => ({ data, text: "There is nothing new to submit." });

/** What is printed of a project that was made. */
export async function made(answer: Made, values: Values, context: Context): Promise<Result | undefined> {
  const { project, invalid, duplicates, balance, urls_remaining: left = 0, experiment } = answer;
  if (project === null) return nothingNew(answer);
  if (values.follow) return follow(project.id, context);
  const dropped =
    invalid + duplicates > 0
      ? `\nLeft out: ${invalid} invalid, ${duplicates === 1 ? "1 duplicate" : `${duplicates} duplicates`}.`
      : "";
  const rest = left > 0 ? `\nLeft for another project: ${left} URLs. Run the command again with --only-new.` : "";
  const held = experiment
    ? `\nHeld out: ${experiment.held} URLs. What it shows: beckon call get_experiment experiment_id=${plain(experiment.id)}`
    : "";
  const next = `\n${plain(`Balance: ${balance} credits.`)}\n${plain(`Follow it: beckon status ${project.id} --follow`)}`;
  return { data: answer, text: projectText(project) + dropped + held + rest + next };
}
