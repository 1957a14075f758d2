import type { Engines } from "../../../src/indexing/engines/engine.ts";
import { testChecker } from "./checker.ts";
import type { TestService } from "./service.ts";

/** Pages of a site, each with its fate in the sandbox. */
export const pages = (host: string, count: number, fate = "day_4") =>
  Array.from({ length: count }, (_, at) => `https://${host}/${fate}/${at}?sandbox=${fate}`);

let hosts = 0;

/** An account with calls, and a checker that notes what is sent. */
export async function experimenter(service: TestService, credits = 1_000) {
  const account = await service.account({ credits });
  const host = `site-${++hosts}.example`;
  const sent: string[] = [];
  const noting = (sandbox: Engines): Engines => {
    const { google, ...others } = sandbox.submitters;
    const send: NonNullable<typeof google>["send"] = (batch) => {
      sent.push(...batch.urls);
      return google!.send(batch);
    };
    return { ...sandbox, submitters: { google: { send }, ...others } };
  };
  const checker = testChecker(service, noting);
  const call = async (method: string, path: string, body?: object) => {
    const { status, json } = await service.request(method, path, { key: account.key, body });
    return { status, json };
  };
  const get = async (path: string) => (await call("GET", path)).json;
  const start = (body: object) => call("POST", "/projects", body);
  const began = service.clock.service();
  return {
    ...{ account, host, sent, call, get, start, began },
    until: (ms: number) => checker.until(service.clock.service() + ms),
    credits: async () => (await get("/account")).credits as number,
    urlsOf: async (project: string) =>
      (await get(`/projects/${project}/links?limit=500`)).links.map(({ url }: { url: string }) => url) as string[],
  };
}
