import { randomUUID } from "node:crypto";
import { Parser } from "htmlparser2";
import { createAccount } from "../../../src/domain/accounts/accounts.ts";
import { bookSandboxOrder } from "../../../src/domain/payments/cards/sandbox/book-order.ts";
import { PACKS } from "../../../src/domain/payments/orders/packs.ts";
import { changeOwner, openSessionOf } from "../database/people.ts";
import type { TestService } from "../service/service.ts";

export interface Form {
  readonly action: string;
  readonly method: string;
  /** What a browser would send as it stands; boxes that are not ticked are absent. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** Buttons with a name, as `name=value`. */
  readonly buttons: readonly string[];
  /** Boxes, ticked or not, as `name=value`. */
  readonly boxes: readonly string[];
}

export interface PageSeen {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  /** What a user reads, spaces collapsed. */
  readonly text: string;
  readonly forms: readonly Form[];
  /** Where the browser goes on to, as it was sent: by `Location` or by `Refresh`. */
  readonly location: string | null;
}

/** Changes to a form before it is sent: null takes a field away, a list sends it several times. */
export type Fill = Readonly<Record<string, string | null | readonly string[]>>;

/** A user at a browser without scripts: keeps cookies, opens pages, sends forms. Follows no redirect by itself. */
export class User {
  /** By name. */
  readonly cookies = new Map<string, string>();
  readonly service: Pick<TestService, "url">;
  /** Sent with every request. */
  headers: Record<string, string> = {
    Accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  };

  constructor(service: Pick<TestService, "url">) {
    this.service = service;
  }

  /** @param address a path, or an address whose path is taken: links of mails lead to the site's public address */
  async get(address: string, headers: Record<string, string> = {}): Promise<PageSeen> {
    return this.#send(address, { headers: { "Sec-Fetch-Site": "none", ...headers } });
  }

  /** Follows redirects within the site. */
  async follow(page: PageSeen): Promise<PageSeen> {
    let seen = page;
    for (let left = 5; seen.location !== null && left > 0; left--) seen = await this.get(seen.location);
    return seen;
  }

  /** Sends the form of a page that leads to `action`, or its only one; of several, the one that asks for what is filled in. */
  async submit(
    page: PageSeen,
    fill: Fill = {},
    action?: string,
    headers: Record<string, string> = {},
  ): Promise<PageSeen> {
    const leading = page.forms.filter((form) => action === undefined || form.action.split("?")[0] === action);
    const fits = leading.length < 2 ? leading : leading.filter((form) => form.fields.some(([name]) => name in fill));
    if (fits.length !== 1) throw new Error(`${fits.length} forms fit, of ${page.forms.map((form) => form.action)}`);
    const [form] = fits as [Form];
    const fields = form.fields.filter(([name]) => !(name in fill));
    for (const [name, value] of Object.entries(fill)) {
      for (const one of value === null ? [] : [value].flat()) fields.push([name, one]);
    }
    return this.post(form.action, fields, headers);
  }

  /** Sends fields as a form would. */
  async post(
    address: string,
    fields: readonly (readonly [string, string])[],
    headers: Record<string, string> = {},
  ): Promise<PageSeen> {
    return this.#send(address, {
      method: "POST",
      headers: { "Sec-Fetch-Site": "same-origin", ...headers },
      body: new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])),
    });
  }

  /** Sends a body that a browser would encode, such as `multipart/form-data`. */
  async postBody(address: string, body: FormData | string, headers: Record<string, string> = {}): Promise<PageSeen> {
    return this.#send(address, { method: "POST", headers: { "Sec-Fetch-Site": "same-origin", ...headers }, body });
  }

  async #send(address: string, init: RequestInit): Promise<PageSeen> {
    const { pathname, search } = new URL(address, this.service.url);
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(`${this.service.url}${pathname}${search}`, {
      ...init,
      redirect: "manual",
      headers: { ...this.headers, ...(cookie ? { Cookie: cookie } : {}), ...(init.headers as Record<string, string>) },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      this.cookies.set(name!, decodeURIComponent(value!));
    }
    const html = await response.text();
    const { status, headers } = response;
    const refresh = /^0;url=(.*)$/.exec(headers.get("refresh") ?? "")?.[1] ?? null;
    return { status, headers, html, ...readHtml(html), location: headers.get("location") ?? refresh };
  }
}

/** A user whose account is open and who is signed in; by default paid, with 150 credits. */
export async function signedIn(
  service: TestService,
  { email = `${randomUUID()}@example.com`, paid = true, verified = true } = {},
): Promise<{ user: User; accountId: string; email: string }> {
  const now = service.clock.now();
  const user = new User(service);
  const accountId = await service.db.tx(async (tx) => {
    const { id } = await createAccount(tx, { email, now });
    if (verified) await changeOwner(tx, id, { verifiedAt: now });
    if (paid) await bookSandboxOrder(tx, { accountId: id, pack: PACKS[0], now });
    user.cookies.set(
      "sid",
      await openSessionOf(tx, { accountId: id, browser: "Firefox on Linux", ip: "127.0.0.1", now }),
    );
    return id;
  });
  return { user, accountId, email };
}

/** Elements within a line of text; others stand apart from the text before and after them. */
const INLINE = new Set(["a", "b", "bdi", "code", "em", "span", "strong", "time"]);

interface FormBeingRead extends Form {
  readonly fields: [string, string][];
  readonly buttons: string[];
  readonly boxes: string[];
}

function readHtml(html: string): { text: string; forms: Form[] } {
  const forms: FormBeingRead[] = [];
  let current: FormBeingRead | undefined;
  const words: string[] = [];
  const silent: string[] = [];
  /** The text area that is being read. */
  let area: string | null = null;
  let areaText = "";
  const parser = new Parser({
    onopentag(tag, attributes) {
      if (!INLINE.has(tag)) words.push(" ");
      const { name, value = "", type } = attributes;
      const form = current;
      if (tag === "textarea" && name) area = name;
      if (tag === "form") {
        const { action = "", method = "get" } = attributes;
        current = { action, method, fields: [], buttons: [], boxes: [] };
        // What a script would show, nobody sees here. The search is in the header of every page.
        if (!("hidden" in attributes) && action !== "/dashboard/search") forms.push(current);
      } else if (tag === "style" || tag === "title") silent.push(tag);
      else if (!form || !name) return;
      else if (tag === "button") form.buttons.push(`${name}=${value}`);
      else if (type === "checkbox" || type === "radio") {
        form.boxes.push(`${name}=${value}`);
        if ("checked" in attributes) form.fields.push([name, value]);
      } else if (tag === "input") form.fields.push([name, value]);
    },
    onclosetag(tag) {
      if (!INLINE.has(tag)) words.push(" ");
      if (tag === "textarea") {
        current?.fields.push([area!, areaText]);
        [area, areaText] = [null, ""];
      }
      if (!INLINE.has(tag)) words.push(" ");
      if (silent.at(-1) === tag) silent.pop();
    },
    ontext(text) {
      if (area !== null) areaText += text;
      if (silent.length === 0) words.push(text);
    },
  });
  parser.end(html);
  return { text: words.join("").replace(/\s+/g, " ").trim(), forms };
}
