import { createHash, createHmac } from "node:crypto";

/** A call as a sender's documents describe it, with its body as text. */
export interface DocumentedCall {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Published {
  readonly url: string;
  readonly secret: string;
  /** Real time. */
  readonly now: number;
}

const JSON_TYPE = { "Content-Type": "application/json" };
const hmac = (algorithm: string, secret: string, text: string) => createHmac(algorithm, secret).update(text);
const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** https://docs.ghost.org/webhooks, and how Ghost's `webhook-trigger.js` signs. */
export function ghost({ url, secret, now }: Published, status = "published"): DocumentedCall {
  const origin = new URL(url).origin;
  const author = { id: "1", name: "Ghost", slug: "ghost", url: `${origin}/author/ghost/` };
  const body = JSON.stringify({
    post: {
      current: {
        id: "64a1f0c2e4b0a70001a1b2c3",
        uuid: "c1f2a3b4-0000-4000-8000-0123456789ab",
        title: "Hello",
        slug: "hello",
        html: "<p>Hello</p>",
        feature_image: `${origin}/content/images/a.png`,
        status,
        visibility: "public",
        url,
        authors: [author],
        primary_author: author,
        tags: [{ id: "2", slug: "news", url: `${origin}/tag/news/` }],
        canonical_url: null,
      },
      previous: { status: "draft", updated_at: "2026-01-21T11:59:00.000Z" },
    },
  });
  const signature = hmac("sha256", secret, `${body}${now}`).digest("hex");
  return {
    headers: { ...JSON_TYPE, "Content-Version": "v5.120", "X-Ghost-Signature": `sha256=${signature}, t=${now}` },
    body,
  };
}

/** https://www.sanity.io/docs/webhooks with the projection of our recipe, signed as `@sanity/webhook` does. */
export function sanity({ url, secret, now }: Published): DocumentedCall {
  const body = JSON.stringify({ _id: "post-1", url });
  const signature = hmac("sha256", secret, `${now}.${body}`).digest("base64url");
  return {
    headers: {
      ...JSON_TYPE,
      "sanity-webhook-signature": `t=${now},v1=${signature}`,
      "sanity-project-id": "abc123",
      "sanity-dataset": "production",
      "sanity-document-id": "post-1",
      "sanity-operation": "create",
      "idempotency-key": "dq1vM9C1XXbpBfVBTrNX",
    },
    body,
  };
}

/** https://docs.netlify.com/deploy/deploy-notifications: a deploy, signed by a JWS. */
export function netlify({ url, secret }: Published): DocumentedCall {
  const { origin } = new URL(url);
  const body = JSON.stringify({
    id: "5ebc34bf4fea0b01f02efa3a",
    site_id: "fa4dd95a-994e-4f89-8a7a-2d9e9fc36a32",
    build_id: "5ebc34bf4fea0b01f02efa38",
    state: "ready",
    name: "example",
    url: origin,
    ssl_url: origin,
    admin_url: "https://app.netlify.com/sites/example",
    deploy_url: "http://5ebc34bf4fea0b01f02efa3a--example.netlify.app",
    deploy_ssl_url: "https://5ebc34bf4fea0b01f02efa3a--example.netlify.app",
    created_at: "2026-01-21T11:56:15.346Z",
    updated_at: "2026-01-21T11:58:56.738Z",
    branch: "main",
    context: "production",
  });
  const sha256 = createHash("sha256").update(body).digest("hex");
  const signed = `${base64url({ alg: "HS256", typ: "JWT" })}.${base64url({ iss: "netlify", sha256 })}`;
  const signature = hmac("sha256", secret, signed).digest("base64url");
  return {
    headers: { ...JSON_TYPE, "X-Netlify-Event": "deploy_created", "X-Webhook-Signature": `${signed}.${signature}` },
    body,
  };
}

/** https://vercel.com/docs/webhooks/webhooks-api: signed with a secret of Vercel's own. */
export function vercel(_: Published, secret = "vercel's own"): DocumentedCall {
  const body = JSON.stringify({
    id: "uev_CAhuhNKxiCPyQWHWH1bnB9Kb",
    type: "deployment.succeeded",
    createdAt: 1769000000000,
    region: null,
    payload: {
      team: { id: "team_1" },
      user: { id: "user_1" },
      deployment: { id: "dpl_1", meta: {}, url: "example-git-main.vercel.app", name: "example" },
      links: {
        deployment: "https://vercel.com/team/example/dpl_1",
        project: "https://vercel.com/team/example",
      },
      target: "production",
      project: { id: "prj_1" },
      plan: "pro",
      regions: ["iad1"],
    },
  });
  return { headers: { ...JSON_TYPE, "x-vercel-signature": hmac("sha1", secret, body).digest("hex") }, body };
}

/** https://docs.strapi.io/cms/backend-customization/webhooks with the header that it advises. */
export function strapi({ secret }: Published): DocumentedCall {
  return {
    headers: { ...JSON_TYPE, "X-Strapi-Event": "entry.publish", Authorization: `Bearer ${secret}` },
    body: JSON.stringify({
      event: "entry.publish",
      createdAt: "2026-01-21T11:59:56.738Z",
      model: "address",
      entry: { id: 1, documentId: "a1", city: "Paris", url: "/uploads/a.png", publishedAt: "2026-01-21T11:59:56.738Z" },
    }),
  };
}

/** What the snippet of our recipe sends, and the form of a plugin that sends `post_permalink`. */
export function wordpress({ url }: Published): DocumentedCall {
  return { headers: JSON_TYPE, body: JSON.stringify({ url }) };
}
export function wordpressForm({ url }: Published): DocumentedCall {
  const fields = { hook: "publish_post", ID: "7", post_title: "Hello", post_permalink: url };
  return {
    headers: { "Content-Type": "application/x-www-form-urlencoded; charset=UTF-8" },
    body: new URLSearchParams(fields).toString(),
  };
}
