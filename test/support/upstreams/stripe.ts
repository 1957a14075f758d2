import { randomBytes } from "node:crypto";
import type { Fake, Received, Reply } from "./fake.ts";
import type { StripeAccount } from "./stripe-account.ts";
import { type FormObject, namesIn, parseBrackets, textAt } from "./stripe-form.ts";
import { disputeObject, sessionObject } from "./stripe-objects.ts";
import { payPage } from "./stripe-page.ts";
import type { World } from "./world.ts";

const NAME = "stripe";

/**
 * Stripe Checkout (https://docs.stripe.com/api/checkout/sessions) and the page it leads to, at `/pay`. World: keys
 * `stripe`, the account in `stripe`.
 */
export const stripe: Fake = (world) => {
  const remembered = new Map<string, { readonly body: string; readonly reply: Reply }>();
  return {
    [NAME](request) {
      if (request.path.startsWith("/pay/")) return payPage(world.stripe, request);
      if (request.headers.authorization !== `Bearer ${world.keys.get(NAME)}`) return UNAUTHORIZED;
      const key = request.headers["idempotency-key"];
      if (request.method !== "POST" || key === undefined) return withId(answer(world, request));
      const before = remembered.get(key);
      if (before && before.body !== request.body) return withId(REUSED_KEY);
      const reply = before?.reply ?? answer(world, request);
      // A request that failed before it was executed may be repeated (https://docs.stripe.com/api/idempotent_requests).
      if (reply.status < 400) remembered.set(key, { body: request.body, reply });
      return withId(before ? { ...reply, headers: { "Idempotent-Replayed": "true" } } : reply);
    },
  };
};

/** Errors hold `secret-`, so that tests can find text that must not be shown. */
export const STRIPE_DOWN: Reply = error(500, { type: "api_error", message: "secret-stripe is having a bad day" });
const UNAUTHORIZED = error(401, { type: "invalid_request_error", message: "Invalid API Key: secret-****" });
const REUSED_KEY = error(400, { type: "idempotency_error", message: "Keys may only be used with the same parameters" });

function answer(world: World, request: Received): Reply {
  const { method, path, query, body } = request;
  if (method === "POST" && path === "/v1/checkout/sessions") {
    return create(world.stripe, parseBrackets(body), `http://${request.headers.host}/${NAME}/pay`);
  }
  if (method === "GET" && path === "/v1/checkout/sessions") return listOf([]);
  if (method === "GET" && path === "/v1/webhook_endpoints") {
    const { webhook } = world.stripe;
    return listOf(
      webhook
        ? [{ object: "webhook_endpoint", url: webhook.listedAs ?? webhook.url, status: webhook.status ?? "enabled" }]
        : [],
    );
  }
  const [, id, verb] = /^\/v1\/checkout\/sessions\/(\w+)(?:\/(\w+))?$/.exec(path) ?? [];
  const session = world.stripe.sessions.get(id ?? "");
  if (id !== undefined && !session)
    return error(404, { type: "invalid_request_error", code: "resource_missing", message: `secret-no: ${id}` });
  if (method === "GET" && session && !verb) {
    return {
      status: 200,
      body: sessionObject(
        session,
        [...query.keys()].some((name) => name.startsWith("expand")),
      ),
    };
  }
  if (method === "GET" && path === "/v1/disputes") return disputes(world.stripe, query.get("charge"));
  return error(404, { type: "invalid_request_error", message: `Unrecognized request URL (${method}: ${path}).` });
}

function listOf(data: readonly object[]): Reply {
  return { status: 200, body: { object: "list", has_more: false, data } };
}

/** Parameters of a session that are accepted here. Stripe accepts more, and refuses unknown ones as this does. */
const PARAMETERS: ReadonlySet<string> = new Set([
  "mode",
  "client_reference_id",
  "customer_email",
  "expires_at",
  "success_url",
  "cancel_url",
  "metadata[order_id]",
  "payment_intent_data[metadata][order_id]",
  "line_items[0][quantity]",
  "adaptive_pricing[enabled]",
  "line_items[0][price_data][currency]",
  "line_items[0][price_data][unit_amount]",
  "line_items[0][price_data][tax_behavior]",
  "automatic_tax[enabled]",
  "line_items[0][price_data][product_data][name]",
]);

function create(account: StripeAccount, form: FormObject, page: string): Reply {
  const unknown = namesIn(form).find((name) => !PARAMETERS.has(name));
  if (unknown) return invalid(unknown, "parameter_unknown");
  const price = (...path: string[]) => textAt(form, "line_items", "0", "price_data", ...path);
  if (textAt(form, "mode") !== "payment") return invalid("mode");
  if (textAt(form, "line_items", "0", "quantity") !== "1") return invalid("line_items[0][quantity]");
  if (!/^[1-9]\d{1,7}$/.test(price("unit_amount"))) return invalid("line_items[0][price_data][unit_amount]");
  if (!/^[a-z]{3}$/.test(price("currency"))) return invalid("line_items[0][price_data][currency]");
  if (price("product_data", "name") === "") return invalid("line_items[0][price_data][product_data][name]");
  if (!["", "inclusive"].includes(price("tax_behavior"))) return invalid("line_items[0][price_data][tax_behavior]");
  const left = Number(textAt(form, "expires_at")) - account.seconds();
  if (!(left >= 30 * 60 && left <= 24 * 60 * 60)) return invalid("expires_at");
  const email = textAt(form, "customer_email");
  if (email.endsWith(".invalid")) return invalid("customer_email", "email_invalid");
  if (!URL.canParse(textAt(form, "success_url"))) return invalid("success_url");
  const orderId = textAt(form, "metadata", "order_id") || null;
  const session = account.open(
    {
      orderId,
      amount: Number(price("unit_amount")),
      currency: price("currency"),
      tax: textAt(form, "automatic_tax", "enabled") === "true" ? Math.round(Number(price("unit_amount")) / 6) : null,
      successUrl: textAt(form, "success_url"),
      cancelUrl: textAt(form, "cancel_url"),
      expiresAt: Number(textAt(form, "expires_at")),
    },
    page,
  );
  return { status: 200, body: sessionObject(session) };
}

function disputes(account: StripeAccount, charge: string | null): Reply {
  const found = [...account.sessions.values()].filter(
    ({ payment }) => payment?.charge === charge && payment.dispute !== null,
  );
  const data = found.map((session) => disputeObject(session, session.payment!));
  return { status: 200, body: { object: "list", url: "/v1/disputes", has_more: false, data } };
}

function invalid(param: string, code = "parameter_invalid"): Reply {
  return error(400, { type: "invalid_request_error", code, param, message: `secret-invalid: ${param}` });
}

function error(status: number, details: object): Reply {
  return { status, body: { error: details } };
}

function withId(reply: Reply): Reply {
  const id = `req_${randomBytes(7).toString("hex")}`;
  return { ...reply, headers: { ...reply.headers, "Request-Id": id, "Stripe-Version": "2026-10-28.endive" } };
}
