import { appWithId } from "../oauth/authorizing-app.ts";
import { type DocumentHost, sends } from "../oauth/document-host.ts";
import type { TestService } from "../service/service.ts";
import { NEW_PROJECT } from "../website/list-form.ts";
import { signedIn, User } from "../website/user.ts";

export interface Sent {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Door {
  /** @param text a JSON document */
  sent(text: string): Sent | Promise<Sent>;
  /** The most characters that fit: of a head, or of what is worth sending. */
  readonly most?: number;
  /** Whether the answer is a page, which shows what was sent. */
  readonly isPage?: boolean;
  /** The status of the answer to `PLAIN`, which shows that it comes to whoever reads it. Default: 200 */
  readonly plain?: number;
}

/** A document that is not hostile. */
export const PLAIN = '{"urls":["https://example.com/"]}';

const JSON_TYPE = { "content-type": "application/json" };
const FORM_TYPE = { "content-type": "application/x-www-form-urlencoded" };
/** Characters of a document in the head of a request, which may have 16 KB: as a query or path, and in base64. */
const HEAD = { query: 4_000, base64: 11_000 } as const;
const BOUNDARY = "----a-boundary-of-a-form";

let messages = 0;
const part = (text: string) => `{"data":{"skill":"estimate_cost","input":${text}}}`;
const message = (text: string) => `{"messageId":"m${messages++}","role":"ROLE_USER","parts":[${part(text)}]}`;
const rpc = (method: string, params: string) => `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}`;
const call = (text: string) => rpc("tools/call", `{"name":"estimate_cost","arguments":${text}}`);
const json = (path: string, body: string, headers: Sent["headers"] = {}): Sent => ({
  path,
  headers: { ...JSON_TYPE, ...headers },
  body,
});
const form = (path: string, name: string, text: string, headers: Sent["headers"] = {}): Sent => ({
  path,
  headers: { ...FORM_TYPE, ...headers },
  body: `${name}=${encodeURIComponent(text)}`,
});

/** Whether a door takes the document as a body of JSON, and refuses what is too much of anything in it. */
export function takesJson({ headers }: Sent): boolean {
  return headers?.["content-type"] === JSON_TYPE["content-type"] && headers["stripe-signature"] === undefined;
}

/** @param documents where an app has its metadata document @param key of an account that may do everything */
export function doorsOf(
  service: TestService,
  { documents, key }: { documents: DocumentHost; key: string },
): Readonly<Record<string, Door>> {
  const withKey = { authorization: `Bearer ${key}` };
  const a2a = { ...JSON_TYPE, ...withKey, "a2a-version": "1.0" };
  /** What a browser sends with the form of a page. */
  const browser = async (user: User, path: string) => {
    const page = await user.get(path);
    const [, token] = page.forms.flatMap(({ fields }) => fields).find(([name]) => name === "token")!;
    const cookie = [...user.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    return { token, headers: { cookie, "sec-fetch-site": "same-origin" } };
  };
  const owner = async () => browser((await signedIn(service)).user, NEW_PROJECT);
  const visitor = () => browser(new User(service), "/sign-in");
  const multipart = (fields: Readonly<Record<string, string>>, file: string) => {
    const parts = Object.entries(fields).map(([name, value]) => [`name="${name}"`, value]);
    const all = [...parts, ['name="file"; filename="list.txt"', file]];
    const body = all.map(
      ([name, value]) => `--${BOUNDARY}\r\ncontent-disposition: form-data; ${name}\r\n\r\n${value}\r\n`,
    );
    return `${body.join("")}--${BOUNDARY}--\r\n`;
  };
  const pay = (headers: Sent["headers"]) =>
    json("/api/v1/credits/x402", '{"pack":"basic"}', { ...withKey, ...headers });
  return {
    "REST, a read": { sent: (text) => json("/api/v1/estimate", text, withKey) },
    "REST, a read by nobody": { sent: (text) => json("/api/v1/estimate", text) },
    "REST, a change": { sent: (text) => json("/api/v1/projects", text, withKey), plain: 201 },
    "REST, a change with an idempotency key": {
      sent: (text) => json("/api/v1/projects", text, { ...withKey, "idempotency-key": `k${messages++}` }),
      plain: 201,
    },
    "REST, a list that is read as JSON": { sent: (text) => json("/api/v1/notifications", text, withKey), plain: 400 },
    "REST, a query": {
      sent: (text) => ({
        path: `/api/v1/projects?status=${encodeURIComponent(text)}`,
        method: "GET",
        headers: withKey,
      }),
      most: HEAD.query,
      plain: 400,
    },
    "REST, a path": {
      sent: (text) => ({ path: `/api/v1/projects/${encodeURIComponent(text)}`, method: "GET", headers: withKey }),
      most: HEAD.query,
      plain: 404,
    },
    MCP: { sent: (text) => json("/mcp", call(text), { ...withKey, accept: "application/json, text/event-stream" }) },
    "MCP, a batch": {
      sent: (text) => {
        const batch = `[${Array(3).fill(call(text)).join(",")}]`;
        return json("/mcp", batch, { ...withKey, accept: "application/json" });
      },
    },
    "MCP, a payment": {
      sent: (text) => {
        const meta = `{"x402/payment":${text}}`;
        const params = `{"name":"pay_direct","arguments":{"pack":"basic"},"_meta":${meta}}`;
        return json("/mcp", rpc("tools/call", params), { ...withKey, accept: "application/json, text/event-stream" });
      },
    },
    "A2A by JSON-RPC": { sent: (text) => json("/a2a", rpc("SendMessage", `{"message":${message(text)}}`), a2a) },
    "A2A by HTTP+JSON": { sent: (text) => json("/a2a/message:send", `{"message":${message(text)}}`, a2a) },
    "A2A 0.3": {
      sent: (text) => {
        const parts = part(text).replace("{", '{"kind":"data",');
        const sent = `{"kind":"message","messageId":"m${messages++}","role":"user","parts":[${parts}]}`;
        return json("/a2a", rpc("message/send", `{"message":${sent}}`), withKey);
      },
    },
    "a payment of x402": {
      sent: (text) => pay({ "payment-signature": Buffer.from(text).toString("base64") }),
      most: HEAD.base64,
      plain: 402,
    },
    "a payment of the scheme Payment": {
      sent: (text) => pay({ "payment-authorization": `Payment ${Buffer.from(text).toString("base64url")}` }),
      most: HEAD.base64,
      plain: 402,
    },
    "OAuth, a registration": { sent: (text) => json("/oauth/register", text), plain: 400 },
    "OAuth, a form": {
      sent: (text) => form("/oauth/token", "grant_type=authorization_code&client_id=x&code", text),
      plain: 400,
    },
    "OAuth, a document that describes an app": {
      async sent(text) {
        documents.answer = sends(text);
        const app = appWithId(documents.url(`/${messages++}`), "https://app.example/callback");
        return { path: app.address(), method: "GET", headers: (await owner()).headers };
      },
      isPage: true,
      plain: 400,
    },
    "an event of the card processor": {
      sent: (text) => json("/webhooks/stripe", text, { "stripe-signature": "t=1,v1=0" }),
      plain: 400,
    },
    "a form of the website": {
      async sent(text) {
        const { token, headers } = await visitor();
        return form("/sign-in", `token=${token}&password=x&email`, text, headers);
      },
      isPage: true,
      plain: 401,
    },
    "the answer of a passkey": {
      async sent(text) {
        const { token, headers } = await visitor();
        return form("/sign-in/passkey", `token=${token}&passkey`, text, headers);
      },
      isPage: true,
      plain: 401,
    },
    "a list on the website": {
      async sent(text) {
        const { token, headers } = await owner();
        return form(NEW_PROJECT, `token=${token}&source=list&urls`, text, headers);
      },
      isPage: true,
      plain: 400,
    },
    "a list of somebody who has signed out": {
      sent: (text) => form(NEW_PROJECT, "add_https=yes&urls", text),
      isPage: true,
      plain: 401,
    },
    "an uploaded file": {
      async sent(text) {
        const { token, headers } = await owner();
        const type = { "content-type": `multipart/form-data; boundary=${BOUNDARY}` };
        const body = multipart({ token, source: "list", urls: "https://example.com/", add_https: "yes" }, text);
        return { path: NEW_PROJECT, headers: { ...headers, ...type }, body };
      },
      isPage: true,
    },
    "a search of the documents": {
      sent: (text) => ({ path: `/docs/search?q=${encodeURIComponent(text)}`, method: "GET" }),
      most: HEAD.query,
      isPage: true,
    },
    "a path of the documents": {
      sent: (text) => ({ path: `/docs/${encodeURIComponent(text)}`, method: "GET" }),
      most: HEAD.query,
      isPage: true,
      plain: 404,
    },
  };
}
