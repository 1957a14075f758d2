import type { ComponentChildren, VNode } from "preact";
import search from "../../../../tools/search.ts";
import type { AnswerOf } from "../../../contract/operation.ts";
import { Refusal } from "../../../platform/errors/errors.ts";
import { formatCount } from "../../../platform/format.ts";
import { SIZES } from "../../../platform/sizes.ts";
import { Day } from "../components/time.tsx";
import { UrlText } from "../components/url-text.tsx";
import { findingIn } from "../projects/domain.ts";
import { wordOf } from "../projects/link-states.ts";
import { PATHS, sitePath } from "../shell/addresses.ts";
import { readOperation } from "../shell/call-operation.ts";
import { dashboardPage } from "../shell/dashboard-page.tsx";
import type { SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import { namesOfProjects } from "./domain.ts";

type Found = AnswerOf<typeof search>;

/** `/dashboard/search`: what the account has that contains a text: URLs, projects, sites and orders. */
export async function searchPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  const q = request.query("q").trim();
  const found = q === "" ? "nothing asked" : await foundFor(services, request, q);
  const isFound = typeof found !== "string";
  const names = isFound ? await namesOfProjects(services, found.links) : new Map<string, string>();
  const body = isFound ? <Results q={q} found={found} names={names} /> : <Hint wasRefused={found === "refused"} />;
  const title = isFound ? `Search: ${q}` : "Search";
  const heading = isFound ? (
    <>
      Search: <bdi>{q}</bdi>
    </>
  ) : (
    <>Search</>
  );
  request.show({ ...dashboardPage({ section: "search", title, heading, body }), search: q });
}

async function foundFor(services: WebsiteServices, request: SignedInRequest, q: string): Promise<Found | "refused"> {
  try {
    return await readOperation(services, request, search, { q });
  } catch (thrown) {
    if (thrown instanceof Refusal && thrown.code === "invalid_request") return "refused";
    throw thrown;
  }
}

function Hint({ wasRefused }: { wasRefused: boolean }): VNode {
  return (
    <>
      {wasRefused && <p role="alert">A search needs at least two characters, and has at most {SIZES.search}.</p>}
      <p>Type part of a URL, the name of a project, the host of a site, or the beginning of an ID.</p>
    </>
  );
}

function Results({ q, found, names }: { q: string; found: Found; names: ReadonlyMap<string, string> }): VNode {
  const { links, projects, sites, orders, complete } = found;
  const total = links.length + projects.length + sites.length + orders.length;
  return (
    <>
      {total === 0 && (
        <p>
          Nothing in this account contains “<bdi>{q}</bdi>”. Try a shorter part of it, such as the last part of a URL.
        </p>
      )}
      {!complete && <p class="soft">The account has so many URLs that only the newest million were searched.</p>}
      <Group title="URLs" rows={links}>
        {({ id, url, project_id, sent_at, created_at, ...link }) => (
          <>
            <a class="url" href={`${PATHS.projects}/${project_id}/links/${id}`}>
              <UrlText url={url} />
            </a>
            <span class="about">
              <Result link={link} /> <bdi>{names.get(project_id)}</bdi> <Day at={sent_at ?? created_at} />
            </span>
          </>
        )}
      </Group>
      <Group title="Projects" rows={projects}>
        {({ id, name, counts, created_at }) => (
          <>
            <a class="url" href={`${PATHS.projects}/${id}`}>
              <bdi>{name}</bdi>
            </a>
            <span class="about">
              <span>{formatCount(counts.total, "URL")}</span>
              <Day at={created_at} />
            </span>
          </>
        )}
      </Group>
      <Group title="Sites" rows={sites}>
        {({ host, status }) => (
          <>
            <a class="url" href={sitePath(host)}>
              {host}
            </a>
            <span class="about">{status === "verified" ? "Verified" : "Not verified"}</span>
          </>
        )}
      </Group>
      <Group title="Orders" rows={orders}>
        {({ id, credits, status, created_at }) => (
          <>
            <a class="url" href={`${PATHS.orders}/${id}`}>
              {id}
            </a>
            <span class="about">
              <span>
                {formatCount(credits, "credit")}, {status}
              </span>
              <Day at={created_at} />
            </span>
          </>
        )}
      </Group>
    </>
  );
}

interface GroupProps<Row> {
  readonly title: string;
  readonly rows: readonly Row[];
  readonly children: (row: Row) => ComponentChildren;
}

/** What was found of one kind; nothing where nothing was. */
function Group<Row extends { readonly id: string }>({ title, rows, children }: GroupProps<Row>): VNode | null {
  if (rows.length === 0) return null;
  const isCut = rows.length === SIZES.found;
  return (
    <>
      <h2>
        {title} <span class="soft">{isCut ? `the newest ${SIZES.found}` : rows.length}</span>
      </h2>
      <ul class="found">
        {rows.map((row) => (
          <li key={row.id}>{children(row)}</li>
        ))}
      </ul>
      {isCut && <p class="soft">Type more of it to find older ones.</p>}
    </>
  );
}

/** In the words of the project's page. A check spends no credits for a link of its own. */
function Result({ link }: { link: Pick<Found["links"][number], "status" | "error_code" | "last_check" | "credits"> }) {
  const finding = findingIn(link);
  return <span class={`state state-${finding}`}>{wordOf(finding, link.credits === null ? "check" : "index")}</span>;
}
