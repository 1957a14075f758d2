/** The form of a new project: counts as one types, takes dropped files, and keeps what was typed until it is submitted. */
import { formatCount, formatNumber } from "../../../platform/format.ts";
import type { CountAnswer, CountRequest } from "./count-messages.ts";
import { fileText, leftText } from "./count-words.ts";
import { fieldsOf, fillIn, type KeptDraft, keepDraft, keptDraft, markSent } from "./draft.ts";

interface SentFile {
  readonly name: string;
  readonly bytes: ArrayBuffer;
  /** Of the request that it was sent with. */
  readonly id: number;
}

type Prices = Readonly<Record<string, { readonly credits: number; readonly urls: number }>>;

/** A pack that can be bought, and what the button says that buys it. */
interface Pack {
  readonly id: string;
  readonly credits: number;
  readonly label: string;
}

/** After so many ms without a key, a list is counted. */
const PAUSE = 150;
/** After so many more, the service is asked which URLs it has already. */
const PAUSE_FOR_REPEATS = 600;
const EMPTY = "What you paste is counted here, with its price.";
const MAX_FILE = 2 * 1024 * 1024;

export function improveNewProject(): void {
  const form = document.querySelector<HTMLFormElement>("form.new-project");
  if (form) new NewProject(form).start();
}

class NewProject {
  readonly #form: HTMLFormElement;
  readonly #list: HTMLTextAreaElement;
  readonly #total: HTMLElement;
  /** What was read of the last file. */
  readonly #fileRead: HTMLElement;
  readonly #offer: HTMLButtonElement;
  readonly #button: HTMLButtonElement;
  readonly #label: string;
  readonly #worker: Worker;
  /** Whether something was typed since the draft was kept. */
  #isUnkept = false;
  #asked = 0;
  #timer = 0;
  #repeatsTimer = 0;
  #count: CountAnswer["count"] = null;
  /** Why the list cannot be read. */
  #problem = "";
  /** The file that is being read, and in which request. */
  #file: SentFile | null = null;
  /** How many of the counted URLs an earlier project has; null until the service has said so. */
  #repeats: number | null = null;

  constructor(form: HTMLFormElement) {
    this.#form = form;
    this.#list = form.querySelector("textarea")!;
    this.#total = form.querySelector(".total")!;
    this.#fileRead = form.querySelector(".file-read")!;
    this.#offer = form.querySelector("button.offer")!;
    this.#button = form.querySelector("button:not(.offer)")!;
    this.#label = this.#button.textContent!;
    this.#worker = new Worker(form.dataset.worker!, { type: "module" });
  }

  start(): void {
    const form = this.#form;
    this.#restore();
    this.#worker.onmessage = ({ data }: MessageEvent<CountAnswer>) => this.#onAnswer(data);
    this.#list.addEventListener("input", () => {
      clearTimeout(this.#timer);
      this.#isUnkept = true;
      this.#agree(null);
      this.#timer = window.setTimeout(() => this.#ask(), PAUSE);
    });
    form.addEventListener("change", ({ target }) => {
      const { files } = target as HTMLInputElement;
      if (files?.[0]) void this.#open(files[0]);
      this.#show();
      // The list is kept as it is typed.
      if (target !== this.#list) this.#keep();
    });
    form.addEventListener("dragover", (event) => {
      event.preventDefault();
      form.classList.add("dropping");
    });
    form.addEventListener("dragleave", () => form.classList.remove("dropping"));
    form.addEventListener("drop", (event) => {
      event.preventDefault();
      form.classList.remove("dropping");
      const file = event.dataTransfer?.files[0];
      if (file) void this.#open(file);
    });
    this.#offer.addEventListener("click", (event) => {
      event.preventDefault();
      this.#post({ addHttps: true });
    });
    form.addEventListener("submit", () => {
      // What another tab keeps by now stays.
      if (this.#isUnkept || keptDraft() === null) this.#keep();
      markSent(this.#draft());
    });
    this.#ask();
  }

  #post(what: Pick<CountRequest, "file" | "addHttps"> = {}): void {
    this.#asked += 1;
    clearTimeout(this.#repeatsTimer);
    this.#repeats = null;
    this.#worker.postMessage({ id: this.#asked, text: this.#list.value, ...what } satisfies CountRequest);
  }

  #ask(): void {
    this.#post();
    this.#keep();
  }

  async #open(file: File): Promise<void> {
    const input = this.#form.querySelector<HTMLInputElement>("input[type=file]")!;
    input.value = "";
    const bytes = await file.slice(0, MAX_FILE + 1).arrayBuffer();
    if (bytes.byteLength > MAX_FILE)
      return this.#sayOfFile(`${file.name} is over 2 MB. Split it, or give the address of a sitemap.`);
    this.#form.querySelector<HTMLInputElement>('[name=source][value="list"]')!.checked = true;
    this.#send(file.name, bytes);
  }

  #send(name: string, bytes: ArrayBuffer): void {
    this.#post({ file: bytes });
    this.#file = { name, bytes, id: this.#asked };
  }

  #onAnswer(answer: CountAnswer): void {
    const { id, count, problem = "", text } = answer;
    if (id === this.#file?.id) this.#onFile(this.#file, answer);
    else if (id !== this.#asked) return;
    else if (text !== undefined) this.#take(text);
    else {
      this.#count = count;
      this.#problem = problem;
      this.#show();
      if (count && count.urls > 0 && count.urls <= Number(this.#form.dataset.most))
        this.#repeatsTimer = window.setTimeout(() => this.#askRepeats(), PAUSE_FOR_REPEATS);
    }
  }

  #onFile({ name, bytes }: SentFile, { id, count, problem, text }: CountAnswer): void {
    this.#file = null;
    // If something was typed meanwhile, the answer does not know it.
    if (id !== this.#asked) this.#send(name, bytes);
    else {
      this.#sayOfFile(count ? fileText(name, count) : `${name} cannot be read: ${problem}.`);
      this.#take(text ?? this.#list.value);
    }
  }

  #take(text: string): void {
    this.#list.value = text;
    this.#ask();
  }

  /** Without an answer nothing is said of repeats; the service finds them when the form is sent. */
  async #askRepeats(): Promise<void> {
    const asked = this.#asked;
    const body = new FormData(this.#form);
    body.delete("file");
    const response = await fetch(this.#form.dataset.repeats!, { method: "POST", body }).catch(() => null);
    if (!response?.ok) return;
    const { submitted } = (await response.json()) as { submitted: number };
    if (asked !== this.#asked) return;
    this.#repeats = submitted;
    this.#show();
  }

  #value(name: string): string {
    return new FormData(this.#form).get(name)?.toString() ?? "";
  }

  #show(): void {
    const count = this.#count;
    this.#offer.hidden = !count?.offered;
    if (!count || this.#list.value.trim() === "" || this.#value("source") !== "list") {
      const text = this.#problem === "" ? EMPTY : `The list cannot be read: ${this.#problem}.`;
      this.#say(this.#value("source") === "list" ? text : "");
      this.#agree(null);
      return;
    }
    this.#offer.textContent = `Add https:// to ${formatCount(count.offered, "line")}`;
    const { balance, most, unpaid } = this.#form.dataset;
    const { credits, held, what } = this.#priced(count.urls);
    const left = Number(balance) - credits;
    const parts = [
      `${formatCount(count.urls, "URL")}, ${formatCount(count.duplicates, "duplicate")}, ${formatNumber(count.invalid)} invalid`,
      this.#value("kind") === "check" ? "" : this.#repeatsText(),
      count.about ?? "",
      count.offer ?? "",
      ...leftText(count),
      held,
      count.urls > Number(most) ? `A project takes ${formatNumber(Number(most))} URLs: split the list.` : "",
      `Price: ${formatCount(credits, "credit")}. ${left < 0 ? `You need ${formatCount(-left, "more credit")}.` : `${formatNumber(left)} left after that.`}`,
    ];
    this.#say(parts.filter((part) => part !== "").join("\n"));
    const fits = count.urls > 0 && count.urls <= Number(most) && what !== null;
    this.#agree(fits && left >= 0 ? { what, credits } : null);
    // An account that has bought nothing yet has to, whatever it was given.
    if (fits && (left < 0 || unpaid !== undefined)) this.#offerPack(Math.max(1, -left));
  }

  /** Lets the button buy the smallest pack that is enough, or else the largest. The page after paying leads back to this list. */
  #offerPack(missing: number): void {
    const { packs, buy } = this.#form.dataset;
    const bySize = (JSON.parse(packs!) as Pack[]).sort((one, other) => one.credits - other.credits);
    const pack = bySize.find(({ credits }) => credits >= missing) ?? bySize.at(-1);
    if (!pack) return;
    const button = this.#button;
    button.setAttribute("form", buy!);
    // A list that the browser does not keep stays in this tab.
    button.formTarget = this.#value("kept") === "yes" ? "" : "_blank";
    [button.name, button.value, button.textContent] = ["pack", pack.id, pack.label];
  }

  /** What a list of so many URLs costs as the form is filled in, and what is done with it; null: too few are held out. The service counts the same. */
  #priced(urls: number) {
    const { fewestHeld: fewest, prices } = this.#form.dataset;
    const priceOf = JSON.parse(prices!) as Prices;
    const cost = (of: string, count: number) => Math.ceil(count / priceOf[of]!.urls) * priceOf[of]!.credits;
    const kind = this.#value("kind");
    const percent = kind === "check" ? 0 : Number(this.#value("holdout_percent"));
    const held = Math.round((urls * percent) / 100);
    const isEnough = percent === 0 || held >= Number(fewest);
    const act = `${kind === "check" ? "Check" : "Submit"} ${formatCount(urls - held, "URL")}`;
    return {
      credits: cost(kind, urls - held) + cost("holdout", held),
      held: percent === 0 ? "" : `${formatNumber(held)} held out${isEnough ? "" : `, at least ${fewest} are needed`}`,
      what: !isEnough ? null : percent === 0 ? act : `${act} and hold out ${formatNumber(held)}`,
    };
  }

  /** One line in any case, so that the button below does not move when the answer comes. */
  #repeatsText(): string {
    if (this.#repeats === null) return "Not known yet whether you submitted some before";
    return this.#repeats === 0
      ? "None submitted before"
      : `${formatNumber(this.#repeats)} submitted before: they cost credits again`;
  }

  /** The price on the button is the one that is agreed to by pressing it. The server counts again, and its count decides. */
  #agree(agreed: { readonly what: string; readonly credits: number } | null): void {
    const hidden = (name: string) => this.#form.querySelector<HTMLInputElement>(`[name=${name}]`)!;
    hidden("agreed").value = agreed ? String(agreed.credits) : "";
    hidden("seen").value = String((this.#value("kind") !== "check" && this.#repeats) || 0);
    for (const name of ["form", "formtarget", "name"]) this.#button.removeAttribute(name);
    this.#button.textContent = agreed ? `${agreed.what} for ${formatCount(agreed.credits, "credit")}` : this.#label;
  }

  #sayOfFile(text: string): void {
    this.#fileRead.textContent = text;
    this.#fileRead.hidden = false;
  }

  #say(text: string): void {
    this.#total.textContent = text;
    this.#total.hidden = text === "";
  }

  #draft(): KeptDraft {
    return { urls: this.#list.value, fields: fieldsOf(this.#form) };
  }

  /** Keeps what was typed, for whatever comes between: a session that ends, a payment, a closed tab. */
  #keep(): void {
    const isEmpty = this.#list.value === "" && this.#value("sitemap_url") === "";
    const isKept = !isEmpty && keepDraft(this.#draft());
    this.#isUnkept = false;
    this.#form.querySelector<HTMLInputElement>("[name=kept]")!.value = isKept ? "yes" : "";
  }

  #restore(): void {
    const kept = keptDraft();
    const isUntouched = this.#list.value === "" && this.#value("sitemap_url") === "";
    if (!kept || !isUntouched) return;
    this.#list.value = kept.urls;
    if (kept.fields) fillIn(this.#form, kept.fields);
  }
}
