import { generateKeyPairSync, randomUUID } from "node:crypto";
import { decodeJwt, jwtVerify } from "jose";
import { type Fake, jsonBody, type Received, type Reply } from "./fake.ts";
import { googleError } from "./google-error.ts";
import { inspect } from "./google-inspection.ts";
import { holdsUrl, mayActIn } from "./search-console-properties.ts";
import type { World } from "./world.ts";

const ZONE = "America/Los_Angeles";
const AUTH = "https://www.googleapis.com/auth";

/**
 * Google: the token endpoint (mount `google`, path /token), sites and sitemaps of Search Console, the Indexing API and
 * URL Inspection. Quotas of a day: `indexing_api`, and `url_inspection PROPERTY`.
 */
export const google: Fake = (world) => {
  const published = new Map<string, string>();
  const tokenOf = ({ headers }: Received) =>
    world.googleTokens.get(headers.authorization?.replace(/^Bearer /, "") ?? "");
  const holds = (request: Received, ...scopes: string[]) =>
    scopes.some((scope) => tokenOf(request)?.scope.split(" ").includes(`${AUTH}/${scope}`));
  const propertiesOf = (request: Received) => {
    const person = tokenOf(request)?.person;
    return person ? world.googlePeople.get(person)!.properties : world.properties;
  };
  return {
    google: (request) => (request.path === "/token" ? issue(world, request) : { status: 404 }),
    search_console(request) {
      const isRead = request.method === "GET" && holds(request, "webmasters.readonly");
      if (!isRead && !holds(request, "webmasters")) return UNAUTHENTICATED;
      const properties = propertiesOf(request);
      const call = /^\/webmasters\/v3\/sites(?:\/([^/]+)\/sitemaps\/([^/]+))?$/.exec(request.path);
      if (!call) return googleError(404, "NOT_FOUND", "Requested entity was not found.");
      if (call[1] === undefined) return { status: 200, body: listOf(properties) };
      return submitSitemap(world, properties, decodeURIComponent(call[1]), decodeURIComponent(call[2]!));
    },
    indexing_api(request) {
      if (!holds(request, "indexing")) return UNAUTHENTICATED;
      if (request.path === "/v3/urlNotifications:publish") return publish(world, published, request);
      const url = request.query.get("url") ?? "";
      const notifyTime = published.get(url);
      if (notifyTime === undefined) return googleError(404, "NOT_FOUND", "Requested entity was not found.");
      return { status: 200, body: { url, latestUpdate: { url, type: "URL_UPDATED", notifyTime } } };
    },
    url_inspection: (request) =>
      holds(request, "webmasters", "webmasters.readonly")
        ? inspect(world, request, propertiesOf(request))
        : UNAUTHENTICATED,
  };
};

const UNAUTHENTICATED = googleError(401, "UNAUTHENTICATED", "Request had invalid authentication credentials.");

/** Made once in a process, at first use, since making one is slow. */
let keyPair: ReturnType<typeof newKeyPair> | undefined;

function newKeyPair() {
  return generateKeyPairSync("rsa", { modulusLength: 2048 });
}

/** Makes a service account that this world accepts. @returns its key file */
export function newServiceAccount(world: World, tokenUri: string): string {
  keyPair ??= newKeyPair();
  const { publicKey, privateKey } = keyPair;
  const email = `beckon-${randomUUID().slice(0, 8)}@fake-project.iam.gserviceaccount.com`;
  world.serviceAccounts.set(email, publicKey);
  return JSON.stringify({
    type: "service_account",
    project_id: "fake-project",
    private_key_id: randomUUID().replaceAll("-", ""),
    private_key: privateKey.export({ type: "pkcs8", format: "pem" }),
    client_email: email,
    token_uri: tokenUri,
  });
}

async function issue(world: World, request: Received): Promise<Reply> {
  const form = new URLSearchParams(request.body);
  const refuse = (error: string) => ({ status: 400, body: { error, error_description: "Invalid JWT Signature." } });
  if (form.get("grant_type") !== "urn:ietf:params:oauth:grant-type:jwt-bearer") return refuse("unsupported_grant_type");
  try {
    const assertion = form.get("assertion") ?? "";
    const key = world.serviceAccounts.get(String(decodeJwt(assertion).iss))!;
    const audience = `http://${request.headers.host}/google/token`;
    const currentDate = new Date(world.clock.now());
    const options = { algorithms: ["RS256"], audience, currentDate, maxTokenAge: "1h" };
    const { payload } = await jwtVerify(assertion, key, options);
    if (payload.exp! - payload.iat! > 3600) return refuse("invalid_grant");
    const access_token = `ya29.${randomUUID()}`;
    world.googleTokens.set(access_token, { scope: String(payload.scope), person: null });
    return { status: 200, body: { access_token, expires_in: 3599, token_type: "Bearer" } };
  } catch {
    return refuse("invalid_grant");
  }
}

type Properties = ReadonlyMap<string, string>;

function listOf(properties: Properties): object {
  const siteEntry = [...properties].map(([siteUrl, permissionLevel]) => ({ siteUrl, permissionLevel }));
  return siteEntry.length > 0 ? { siteEntry } : {};
}

/** Accepts a sitemap and fetches it as Google would: its pages count as submitted. */
async function submitSitemap(world: World, properties: Properties, property: string, sitemap: string): Promise<Reply> {
  if (!mayActIn(properties, property)) {
    return googleError(403, "PERMISSION_DENIED", "User does not have sufficient permission for site.");
  }
  const text = await fetch(sitemap, { signal: AbortSignal.timeout(2_000) }).then(
    (answer) => answer.text(),
    () => "",
  );
  const pages = [...text.matchAll(/<loc>\s*(.*?)\s*<\/loc>/g)].map((found) => found[1]!.replaceAll("&amp;", "&"));
  world.recordSubmission("search_console", pages);
  return { status: 204 };
}

function publish(world: World, published: Map<string, string>, request: Received): Reply {
  const body = jsonBody(request);
  const url = String(body?.url);
  if (request.method !== "POST" || !URL.canParse(url) || world.invalid.has(url) || body?.type !== "URL_UPDATED") {
    return googleError(400, "INVALID_ARGUMENT", "Request contains an invalid argument.");
  }
  const isOwner = [...world.properties].some(([property, level]) => level === "siteOwner" && holdsUrl(property, url));
  if (!isOwner) {
    return googleError(403, "PERMISSION_DENIED", "Permission denied. Failed to verify the URL ownership.");
  }
  if (world.takeQuota("indexing_api", ZONE, 1) === 0) return PUBLISH_QUOTA;
  const notifyTime = new Date(world.clock.service()).toISOString();
  published.set(url, notifyTime);
  world.recordSubmission("indexing_api", [url]);
  const latestUpdate = { url, type: "URL_UPDATED", notifyTime };
  return { status: 200, body: { urlNotificationMetadata: { url, latestUpdate } } };
}

const PUBLISH_QUOTA = googleError(
  429,
  "RESOURCE_EXHAUSTED",
  "Quota exceeded for quota metric 'Publish requests' and limit 'Publish requests per day' of service 'indexing.googleapis.com'.",
);
