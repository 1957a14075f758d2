import { type Fake, type Handler, jsonBody, type Reply, textsOf } from "./fake.ts";
import type { World } from "./world.ts";

/** IndexNow at Bing, which answers with a status alone, and at Yandex, which adds JSON. It fetches the key file. */
export const indexNow: Fake = (world) => ({
  indexnow_bing: endpoint(world, "indexnow_bing", () => undefined),
  indexnow_yandex: endpoint(world, "indexnow_yandex", (message) =>
    message === "" ? { success: true } : { success: false, message },
  ),
});

/** An error in the form of Bing's IndexNow. */
export function indexNowError(status: number, errorCode: string, details: unknown = null): Reply {
  return { status, body: { errorCode, message: "some sentence", details } };
}

function endpoint(world: World, name: string, bodyOf: (message: string) => unknown): Handler {
  const say = (status: number, message: string): Reply => ({ status, body: bodyOf(message) });
  return async (request) => {
    if (request.path !== "/indexnow") return { status: 404 };
    if (request.method !== "POST") return say(405, "Method not allowed");
    const body = jsonBody(request);
    const [host, key] = [String(body?.host), String(body?.key)];
    const urls = textsOf(body?.urlList);
    if (!body || urls.length === 0 || urls.length > 10_000) return say(400, "Bad request");
    if (key.length < 8) return say(422, "Key must be at least 8 characters");
    const keyLocation = String(body.keyLocation ?? `https://${host}/${key}.txt`);
    if (!URL.canParse(keyLocation) || new URL(keyLocation).host !== host) return say(422, "Invalid key location");
    if (!urls.every((url) => isOf(url, host) && !world.invalid.has(url))) return say(422, "Invalid url");
    if ((await textAt(keyLocation)) !== key) return say(403, "Invalid key");
    world.recordSubmission(name, urls);
    return say(200, "");
  };
}

function isOf(url: string, host: string): boolean {
  return URL.canParse(url) && new URL(url).host === host;
}

async function textAt(url: string): Promise<string | null> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000), redirect: "error" });
    return answer.ok ? (await answer.text()).trim() : null;
  } catch {
    return null;
  }
}
