import { type Fake, jsonBody, type Received, type Reply, textsOf } from "./fake.ts";
import type { World } from "./world.ts";

const NAME = "rapid_url_indexer";

interface Project {
  readonly id: number;
  readonly name: string;
  readonly status: string;
  readonly submitted_urls: number;
  readonly indexed_urls: number;
  readonly created_at: string;
}

/** Rapid URL Indexer, with its firewall, which refuses the User-Agents of common scripts. */
export const rapidUrlIndexer: Fake = (world) => {
  const projects: Project[] = [];
  return {
    [NAME](request) {
      if (!isAdmitted(request)) return { status: 403, body: "<html><h1>403 Forbidden</h1></html>" };
      const { method, path, headers } = request;
      if (!world.keys.has(NAME) || headers["x-api-key"] !== world.keys.get(NAME)) return rapidError(401, "api_key");
      const call = `${method} ${path.replace("/wp-json/api/v1", "")}`;
      if (call === "GET /credits/balance") {
        return { status: 200, body: { credits: Math.min(world.credits.get(NAME) ?? 9_999_999, 9_999_999) } };
      }
      if (call === "GET /projects/list") return { status: 200, body: { success: true, projects } };
      return call === "POST /projects" ? create(world, projects, request) : rapidError(404, "rest_no_route");
    },
  };
};

export function rapidError(status: number, code: string): Reply {
  return { status, body: { code, message: "some sentence", data: { status } } };
}

function isAdmitted({ headers }: Received): boolean {
  return headers["user-agent"] !== undefined && !/^(curl|python|node|undici|axios)/i.test(headers["user-agent"]);
}

function create(world: World, projects: Project[], request: Received): Reply {
  const body = jsonBody(request);
  const urls = textsOf(body?.urls).filter((url) => /^https?:\/\//.test(url) && !world.invalid.has(url));
  if (urls.length === 0 || urls.length > 9_999) return rapidError(400, "invalid_urls");
  if (!world.pay(NAME, urls.length * (body?.apex_mode_enabled === true ? 3 : 1))) return rapidError(403, "credits");
  const id = projects.length + 1;
  // Names lose their special characters.
  const name = String(body?.project_name).replace(/[^0-9A-Za-z ]/g, "");
  const created_at = new Date(world.clock.service()).toISOString().slice(0, 19).replace("T", " ");
  projects.unshift({ id, name, status: "pending", submitted_urls: urls.length, indexed_urls: 0, created_at });
  world.recordSubmission(NAME, urls);
  return { status: 201, body: { message: "Project created successfully", project_id: id } };
}
