import type { VNode } from "preact";
import { CHECK_DAYS } from "../../../platform/check-days.ts";
import { formatCount, formatDollars, formatNumber } from "../../../platform/format.ts";
import type { ListCount } from "../../../platform/lists/words.ts";
import { type Pack, packFor } from "../../../platform/packs.ts";
import { Button } from "../components/button.tsx";
import { Form } from "../components/form.tsx";
import { LeftOut } from "../components/left-out.tsx";
import { Notice } from "../components/notice.tsx";
import { EmailField, NewPasswordField } from "../components/sign-in-fields.tsx";
import { type Column, Table } from "../components/table.tsx";
import { UrlText } from "../components/url-text.tsx";
import { PATHS } from "../shell/addresses.ts";
import type { Page } from "../shell/layout.tsx";
import type { PageRequest, WebsiteServices } from "../shell/page-request.ts";
import { withReturnTo } from "../shell/return-to.ts";
import type { Estimate } from "./estimate.ts";
import type { Finding } from "./findings.ts";

export interface Shown {
  readonly findings: readonly Finding[];
  /** Why no page was read. */
  readonly problem: string | null;
  readonly count: ListCount;
  /** Null: the list is longer than what was sent, or than a project takes. */
  readonly estimate: Estimate | null;
  /** A list that the browser cannot keep: the page has it. */
  readonly openList: string | null;
}

/** What was found of a stranger's pages, and the way on. */
export function triedPage(services: WebsiteServices, request: PageRequest, shown: Shown): Page {
  const { config } = services;
  const { findings, problem } = shown;
  const body = (
    <>
      <h1>{problem ? "Your list is kept" : headline(findings)}</h1>
      {problem && <Notice variant="bad">{problem}</Notice>}
      {findings.length > 0 && <Findings findings={findings} />}
      <Counted shown={shown} isSandbox={config.mode === "sandbox"} />
      <Onwards request={request} config={config} shown={shown} />
    </>
  );
  return { title: "What your pages say - Beckon", forms: [], staysForBack: true, body };
}

function headline(findings: readonly Finding[]): string {
  const ready = findings.filter(({ isReady }) => isReady).length;
  const all = findings.length;
  if (all === 1) return ready === 1 ? "This page is ready to be submitted" : "This page is not ready to be submitted";
  return `${ready === all ? `All ${formatNumber(all)}` : `${formatNumber(ready)} of ${formatNumber(all)}`} pages are ready to be submitted`;
}

function Findings({ findings }: { findings: readonly Finding[] }): VNode {
  const columns: Column<Finding>[] = [
    {
      head: "Page",
      cell: ({ url, note, isReady }) => (
        <>
          <UrlText url={url} />
          {note && <span class={isReady ? "hint" : "problem"}>{note}</span>}
        </>
      ),
    },
    { head: "Reachable", cell: ({ reachable }) => reachable },
    { head: "Googlebot", cell: ({ robots }) => robots },
    { head: "noindex", cell: ({ noindex }) => noindex },
    { head: "Crawlers of other searches", cell: ({ others }) => others },
    ...(findings.some(({ google }) => google !== null)
      ? [{ head: "Google", cell: ({ google }: Finding) => google ?? "–" }]
      : []),
  ];
  return <Table label="What your pages say" columns={columns} rows={findings} />;
}

/** How the list was read, and what of it was left out. */
function Counted({ shown, isSandbox }: { shown: Shown; isSandbox: boolean }): VNode {
  const { count, estimate, findings } = shown;
  const { about, offered } = count;
  const isPart = findings.length > 0 && (estimate === null || estimate.urls > findings.length);
  const isLookedUp = findings.some(({ google }) => google !== null);
  return (
    <>
      {isPart && (
        <p>
          These are the first {formatNumber(findings.length)} {estimate ? `of ${formatNumber(estimate.urls)} ` : ""}
          pages of your list.
        </p>
      )}
      {findings.length > 0 && (
        <p class="soft">
          We asked once, under our own name, and obeyed robots.txt. A server may answer Google in another way.
          {isSandbox && isLookedUp && " This is a sandbox: what it says of Google is made up."}
        </p>
      )}
      {about && <p>{about}</p>}
      {offered > 0 && <p>{formatCount(offered, "line")} without https:// in front: it was added.</p>}
      <LeftOut count={count} />
    </>
  );
}

interface OnwardsProps {
  readonly request: PageRequest;
  readonly config: WebsiteServices["config"];
  readonly shown: Shown;
}

/** How the list is submitted: by an account, and a pack. */
function Onwards({ request, config, shown: { estimate, openList } }: OnwardsProps): VNode {
  const what = estimate ? formatCount(estimate.urls, "URL") : "your list";
  const price = estimate ? ` for ${formatCount(estimate.credits, "credit")}` : "";
  const pack = config.isSelling && estimate && !request.session ? packFor(config.packs, estimate.credits) : null;
  return (
    <section class="onwards">
      <h2>{`Submit ${what}${price}`}</h2>
      {pack && estimate && <PackSentence pack={pack} credits={estimate.credits} />}
      {openList !== null ? (
        <OpenList request={request} list={openList} />
      ) : request.session ? (
        <p>
          <a class="button" href={PATHS.newProject}>
            Continue with {what}
          </a>
        </p>
      ) : (
        <SignUp request={request} config={config} />
      )}
    </section>
  );
}

function PackSentence({ pack, credits }: { pack: Pack; credits: number }): VNode {
  const isEnough = pack.credits >= credits;
  return (
    <p>
      {isEnough ? `The pack ${pack.name} is enough` : `The largest pack is ${pack.name}`}:{" "}
      {formatCount(pack.credits, "credit")} for {formatDollars(pack.amountCents)}. Credits of URLs that Google has not
      indexed on day {CHECK_DAYS.final} come back, as credits.
    </p>
  );
}

/** The form of a new account, where people sign up by a password; else the way there. The list comes along. */
function SignUp({ request, config }: Omit<OnwardsProps, "shown">): VNode {
  const signIn = withReturnTo("/sign-in", PATHS.newProject);
  if (config.issuer || !config.localSignIn)
    return (
      <p class="row">
        <a class="button" href={withReturnTo("/sign-up", PATHS.newProject)}>
          Create an account
        </a>
        <a href={signIn}>Sign in</a>
      </p>
    );
  return (
    <>
      <p>
        Your list comes with you. Create an account, or <a href={signIn}>sign in</a>.
      </p>
      <Form request={request} action="/sign-up" hidden={{ return_to: PATHS.newProject }}>
        <EmailField />
        <NewPasswordField label="Password" />
        <Button>Create account</Button>
      </Form>
    </>
  );
}

/** A list that is too long for a browser without scripts to keep: this page keeps it. */
function OpenList({ request, list }: { request: PageRequest; list: string }): VNode {
  return (
    <>
      {!request.session && (
        <p>
          Your browser runs no scripts, and your list is too long for it to keep otherwise. Leave this page open,{" "}
          <a href="/sign-up" target="_blank" rel="noopener">
            create an account in a new tab
          </a>
          , come back here, and continue.
        </p>
      )}
      <form method="post" action={PATHS.newProject} encType="multipart/form-data">
        {Object.entries({ token: request.csrfToken, urls: list, bing: "yes", yandex: "yes" }).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <Button>Continue</Button>
      </form>
    </>
  );
}
