import type { VNode } from "preact";
import addSite from "../../../../tools/add-site.ts";
import getCoverage from "../../../../tools/get-coverage.ts";
import listSites from "../../../../tools/list-sites.ts";
import type { AnswerOf } from "../../../contract/operation.ts";
import { Refusal } from "../../../platform/errors/errors.ts";
import { formatNumber, formatPercent } from "../../../platform/format.ts";
import { SIZES } from "../../../platform/sizes.ts";
import { Button } from "../components/button.tsx";
import { TextField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { Nothing } from "../components/nothing.tsx";
import { StateBar } from "../components/state-bar.tsx";
import { Table } from "../components/table.tsx";
import { PATHS, sitePath } from "../shell/addresses.ts";
import { callOperation, readOperation } from "../shell/call-operation.ts";
import { dashboardPage } from "../shell/dashboard-page.tsx";
import type { SignedInPost, SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import { withAdvice } from "./domain.ts";
import type { Site } from "./verification.tsx";

/** What somebody typed as a host, and why it was refused. */
interface Attempt {
  readonly host: string;
  readonly problem: string;
  readonly status: number;
}

/** A host, as a site that was added, as one whose pages were looked up, or both. */
interface Row {
  readonly host: string;
  readonly site: Site | undefined;
  readonly coverage: AnswerOf<typeof getCoverage>["hosts"][number] | undefined;
}

/** `GET /dashboard/sites`: the hosts of the account with what Google has of each, and the form to add one. */
export async function sitesPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  await showSites(services, request, null);
}

/** `POST /dashboard/sites`: adds a host, looks for its key file again, or gives it a new key. */
export async function addSitePost(services: WebsiteServices, post: SignedInPost): Promise<void> {
  const host = post.field("host");
  try {
    const site = await callOperation(services, post, addSite, { host, rotate_key: post.field("rotate_key") === "yes" });
    post.redirect(sitePath(site.host, "checked=1"));
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown;
    post.res.set(thrown.headers);
    const problem = thrown.code === "invalid_request" ? NO_HOST : thrown.message;
    await showSites(services, post, { host, problem, status: thrown.status });
  }
}

/** `GET /dashboard/sites/:id/key`: the key file, to be placed on the host. */
export async function keyFile(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  const { sites } = await readOperation(services, request, listSites, { limit: SIZES.pageLimit });
  const site = sites.find(({ id }) => id === request.param("id"));
  if (!site) throw new Refusal("not_found", "Your account has no such site.");
  const name = new URL(site.key_url).pathname.split("/").at(-1)!;
  request.res.set("Cache-Control", "no-store").attachment(name).type("text/plain").send(site.indexnow_key);
}

const NO_HOST = "Give the name of a host, such as www.example.com, or the address of a page on it.";

async function showSites(services: WebsiteServices, request: SignedInRequest, attempt: Attempt | null): Promise<void> {
  const [{ sites }, { hosts }] = await Promise.all([
    readOperation(services, request, listSites, { limit: SIZES.pageLimit }),
    readOperation(services, request, getCoverage, { days: 1, limit: SIZES.coverageHosts }),
  ]);
  const added = sites.filter(({ host }) => !hosts.some((one) => one.host === host));
  const rows: Row[] = [
    ...hosts.map((coverage) => {
      const { host } = coverage;
      return { host, coverage, site: sites.find((one) => one.host === host) };
    }),
    ...added.map((site) => ({ host: site.host, site, coverage: undefined })),
  ];
  const body = (
    <>
      {rows.length > 0 && <Sites rows={rows} />}
      <h2>Add a site</h2>
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
    </>
  );
  request.show(dashboardPage({ section: "sites", title: "Sites", body }), attempt?.status);
}

const VERIFIED: Readonly<Record<Site["status"], string>> = {
  verified: "Verified",
  pending: "Not verified yet",
  failed: "Key file not found",
};

function Sites({ rows }: { rows: readonly Row[] }): VNode {
  return (
    <Table
      label="Your sites"
      rows={rows}
      columns={[
        {
          head: "Host",
          cell: ({ host }) => (
            <a class="name" href={sitePath(host)}>
              <bdi>{host}</bdi>
            </a>
          ),
        },
        {
          head: "Pages known",
          isNumber: true,
          cell: ({ coverage }) => (coverage ? formatNumber(coverage.pages) : <Nothing />),
        },
        {
          head: "In Google",
          isNumber: true,
          cell: ({ coverage }) =>
            coverage ? (
              <>
                {formatNumber(coverage.in_google)}{" "}
                <span class="soft">{formatPercent(coverage.in_google, Math.max(coverage.pages, 1))}</span>
              </>
            ) : (
              <Nothing />
            ),
        },
        { head: "Compared", cell: ({ coverage }) => (coverage ? <Compared coverage={coverage} /> : <Nothing />) },
        {
          head: "First reason",
          cell: ({ coverage }) => (coverage?.reasons[0] ? withAdvice(coverage.reasons[0]).meaning : <Nothing />),
        },
        { head: "Yours", cell: ({ site }) => (site ? VERIFIED[site.status] : <Nothing />) },
      ]}
    />
  );
}

function Compared({
  coverage: { in_google, not_in_google, unknown },
}: {
  coverage: NonNullable<Row["coverage"]>;
}): VNode {
  return (
    <StateBar
      parts={[
        { state: "indexed", label: "In Google", count: in_google },
        { state: "not_indexed", label: "Not in Google", count: not_in_google },
        { state: "unknown", label: "Unknown", count: unknown },
      ]}
    />
  );
}
