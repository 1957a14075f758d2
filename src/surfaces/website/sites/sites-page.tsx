import type { VNode } from "preact";
import addSite from "../../../../tools/add-site.ts";
import listSites from "../../../../tools/list-sites.ts";
import type { AnswerOf } from "../../../contract/operation.ts";
import { Refusal } from "../../../platform/errors/errors.ts";
import { SIZES } from "../../../platform/limits.ts";
import { Button } from "../components/button.tsx";
import { TextField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { Item, ItemList } from "../components/item-list.tsx";
import { Notice } from "../components/notice.tsx";
import { Time } from "../components/time.tsx";
import { PATHS } from "../shell/addresses.ts";
import { callOperation } from "../shell/call-operation.ts";
import { dashboardPage } from "../shell/dashboard-page.tsx";
import type { SignedInPost, SignedInRequest, WebsiteServices } from "../shell/page-request.ts";

type Site = AnswerOf<typeof listSites>["sites"][number];

/** What somebody typed as a host, and why it was refused. */
interface Attempt {
  readonly host: string;
  readonly problem: string;
  readonly status: number;
}

/** `GET /dashboard/sites`: the hosts of the account, and the form to add one. */
export async function sitesPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  await showSites(services, request, null);
}

/** `POST /dashboard/sites`: adds a host, looks for its key file again, or gives it a new key. */
export async function addSitePost(services: WebsiteServices, post: SignedInPost): Promise<void> {
  const host = post.field("host");
  try {
    const site = await callOperation(services, post, addSite, { host, rotate_key: post.field("rotate_key") === "yes" });
    post.redirect(`${PATHS.sites}?${new URLSearchParams({ host: site.host })}#${site.id}`);
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown;
    post.res.set(thrown.headers);
    const problem = thrown.code === "invalid_request" ? NO_HOST : thrown.message;
    await showSites(services, post, { host, problem, status: thrown.status });
  }
}

/** `GET /dashboard/sites/:id/key`: the key file, to be placed on the host. */
export async function keyFile(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  const site = (await sitesOf(services, request)).find(({ id }) => id === request.param("id"));
  if (!site) throw new Refusal("not_found", "Your account has no such site.");
  const name = new URL(site.key_url).pathname.split("/").at(-1)!;
  request.res.set("Cache-Control", "no-store").attachment(name).type("text/plain").send(site.indexnow_key);
}

const NO_HOST = "Give the name of a host, such as www.example.com, or the address of a page on it.";

async function sitesOf(services: WebsiteServices, request: SignedInRequest): Promise<readonly Site[]> {
  const { sites } = await callOperation(services, request, listSites, { limit: SIZES.pageLimit });
  return sites;
}

async function showSites(services: WebsiteServices, request: SignedInRequest, attempt: Attempt | null): Promise<void> {
  const sites = await sitesOf(services, request);
  const tried = sites.find(({ host }) => attempt === null && host === request.query("host"));
  const body = (
    <>
      {tried && <Notice variant={tried.status === "verified" ? "good" : undefined}>{outcomeOf(tried)}</Notice>}
      <p>
        URLs of every host are sent to Google. Bing and Yandex take them from the owner of the host only, by{" "}
        <a href="https://www.indexnow.org">IndexNow</a>: a file with a key on the host proves that it is yours. Each
        host is verified on its own: example.com and www.example.com are two. A host that you own in Search Console
        needs no file: <a href={PATHS.connections}>connect it</a>.
      </p>
      <Form request={request} action={PATHS.sites}>
        <TextField
          name="host"
          label="Host"
          autocomplete="off"
          value={attempt?.host}
          problem={attempt?.problem}
          maxLength={SIZES.hostField}
          hint="For example www.example.com"
        />
        <Button>Add site</Button>
      </Form>
      {sites.length > 0 && <h2>Your sites</h2>}
      <ItemList>
        {sites.map((site) => (
          <SiteItem key={site.id} request={request} site={site} />
        ))}
      </ItemList>
    </>
  );
  request.show(dashboardPage({ section: "sites", title: "Sites", body }), attempt?.status);
}

/** Whether the file of a new key is to be placed. */
function isKeyReplaced({ status, next_step }: Site): boolean {
  return status === "verified" && next_step.startsWith("Place ");
}

function outcomeOf(site: Site): string {
  const { host, status, next_step } = site;
  if (isKeyReplaced(site)) return `${host} has a new key. See below where to place its file.`;
  if (status === "verified") return `${host}: ${next_step}`;
  if (status === "failed") return `The key file of ${host} was not found. See below what to do.`;
  return `${host} is added. Place its key file, then verify it.`;
}

function SiteItem({ request, site }: { request: SignedInRequest; site: Site }): VNode {
  const { id, host, status, key_url, connections, verified_at, verified_by, created_at } = site;
  const isByKey = verified_by === "key_file";
  const isVerified = status === "verified";
  const button = isVerified ? "Verify again" : `Verify ${host}`;
  const steps = (
    <ol key="steps">
      <li>
        <a href={`${PATHS.sites}/${id}/key`} download>
          Download the key file
        </a>
      </li>
      <li>
        Place it so that it opens at <a href={key_url}>{key_url}</a>
      </li>
      <li>Press “{button}”.</li>
    </ol>
  );
  const facts = isVerified
    ? [
        <>
          {isByKey ? "Verified, last found " : "Verified by your Search Console, last seen "}
          <Time at={verified_at} />
        </>,
        connections.length > 0 ? `Its URLs are also sent by ${connections.join(", ")}.` : null,
        isKeyReplaced(site) ? "The old key is used until the file of the new one is found." : null,
        isByKey ? null : "For IndexNow, which tells Bing and Yandex, also place the key file:",
        isKeyReplaced(site) || !isByKey ? steps : "Leave the file where it is.",
      ]
    : [
        status === "failed" ? site.next_step.split(". ")[0] : "Not verified yet",
        steps,
        <>
          Added <Time at={created_at} />
        </>,
      ];
  return (
    <Item title={<span id={id}>{host}</span>} facts={facts.filter((fact) => fact !== null)}>
      <Form request={request} action={PATHS.sites} hidden={{ host }}>
        <Button variant="quiet small">{button}</Button>
      </Form>
      {isVerified && !isKeyReplaced(site) && (
        <Form request={request} action={PATHS.sites} hidden={{ host, rotate_key: "yes" }}>
          <Button variant="quiet small">Replace the key</Button>
        </Form>
      )}
    </Item>
  );
}
