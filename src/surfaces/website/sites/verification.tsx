import type { VNode } from "preact";
import type listSites from "../../../../tools/list-sites.ts";
import type { AnswerOf } from "../../../contract/operation.ts";
import { Button } from "../components/button.tsx";
import { Form } from "../components/form.tsx";
import { Time } from "../components/time.tsx";
import { PATHS } from "../shell/addresses.ts";
import type { SignedInRequest } from "../shell/page-request.ts";

export type Site = AnswerOf<typeof listSites>["sites"][number];

/** Whether the file of a new key is to be placed. */
function isKeyReplaced({ status, next_step }: Site): boolean {
  return status === "verified" && next_step.startsWith("Place ");
}

/** What the form of a site has done. */
export function outcomeOf(site: Site): string {
  const { host, status, next_step } = site;
  if (isKeyReplaced(site)) return `${host} has a new key. See below where to place its file.`;
  if (status === "verified") return `${host}: ${next_step}`;
  if (status === "failed") return `The key file of ${host} was not found. See below what to do.`;
  return `${host} is added. Place its key file, then verify it.`;
}

/** Whether a site is verified and by what, and the next step to it; the key of IndexNow can be replaced. */
export function SiteVerification({ request, site }: { request: SignedInRequest; site: Site }): VNode {
  const { host, status } = site;
  const isVerified = status === "verified";
  const button = isVerified ? "Verify again" : `Verify ${host}`;
  return (
    <>
      {factsOf(site, button).map((fact, at) => (
        <div key={at}>{fact}</div>
      ))}
      <div class="row">
        <Form request={request} action={PATHS.sites} hidden={{ host }}>
          <Button variant="quiet small">{button}</Button>
        </Form>
        {isVerified && !isKeyReplaced(site) && (
          <Form request={request} action={PATHS.sites} hidden={{ host, rotate_key: "yes" }}>
            <Button variant="quiet small">Replace the key</Button>
          </Form>
        )}
      </div>
    </>
  );
}

function factsOf(site: Site, button: string) {
  const { status, next_step, connections, verified_at, verified_by, created_at } = site;
  const isByKey = verified_by === "key_file";
  if (status !== "verified")
    return [
      status === "failed" ? next_step.split(". ")[0] : "Not verified yet",
      <Steps key="steps" site={site} button={button} />,
      <>
        Added <Time at={created_at} />
      </>,
    ];
  return [
    <>
      {isByKey ? "Verified, last found " : "Verified by your Search Console, last seen "}
      <Time at={verified_at} />
    </>,
    connections.length > 0 ? `Its URLs are also sent by ${connections.join(", ")}.` : null,
    isKeyReplaced(site) ? "The old key is used until the file of the new one is found." : null,
    isByKey ? null : "For IndexNow, which tells Bing and Yandex, also place the key file:",
    isKeyReplaced(site) || !isByKey ? <Steps key="steps" site={site} button={button} /> : "Leave the file where it is.",
  ].filter((fact) => fact !== null);
}

function Steps({ site: { id, key_url }, button }: { site: Site; button: string }): VNode {
  return (
    <ol>
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
}
