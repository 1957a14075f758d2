import type { VNode } from "preact";
import watchSitemap from "../../../../../tools/watch-sitemap.ts";
import { Button } from "../../components/button.tsx";
import { CodeBlock } from "../../components/code-block.tsx";
import { Form } from "../../components/form.tsx";
import { ConfirmedAction } from "../../components/item-list.tsx";
import { Notice } from "../../components/notice.tsx";
import { callOperation } from "../../shell/call-operation.ts";
import { dashboardPage } from "../../shell/dashboard-page.tsx";
import {
  confirmByFactor,
  type SignedInPost,
  type SignedInRequest,
  type WebsiteServices,
} from "../../shell/page-request.ts";
import { pathOf } from "./watch-actions.tsx";
import type { Watch } from "./watch-words.ts";

/** The publish hook of a watch: what its site calls as soon as it publishes. */
export function Hook({ request, watch }: { readonly request: SignedInRequest; readonly watch: Watch }): VNode {
  const action = `${pathOf(watch.id)}/hook`;
  return (
    <section id="hook">
      <h2>When your site publishes</h2>
      <p>
        A publish hook is an address that your CMS or your host calls when it has published: new pages are then taken at
        once, within the limits above.{" "}
        <a href="/docs/publish-hooks">Ghost, WordPress, Strapi, Sanity, Netlify, Vercel</a>
      </p>
      {watch.hook_url === null ? (
        <Form request={request} action={action} hidden={{ hook: "new" }}>
          <Button variant="quiet small">Make a publish hook</Button>
        </Form>
      ) : (
        <>
          <CodeBlock text={watch.hook_url} />
          <ConfirmedAction
            request={request}
            label="Make a new secret"
            warning="It is shown once. The present one ends at once, so the calls of your site are refused until it has the new one."
            action={action}
            hidden={{ hook: "new" }}
            button="Make a new secret"
          />
          <ConfirmedAction
            request={request}
            label="Remove"
            warning="Calls of your site are refused. The sitemap is read as before."
            action={action}
            hidden={{ hook: "off" }}
            button="Remove this hook"
          />
        </>
      )}
    </section>
  );
}

/** `POST /dashboard/watches/:id/hook`: makes a hook, or another secret, and shows it this once; or removes the hook. */
export async function changeHookPost(services: WebsiteServices, post: SignedInPost): Promise<void> {
  const id = post.param("id");
  const isRemoved = post.field("hook") === "off";
  if (!isRemoved && !confirmByFactor(post, { formPage: pathOf(id) })) return;
  const input = { watch_id: id, hook: isRemoved ? "off" : "new" } as const;
  const { watch, hook_secret: secret } = await callOperation(services, post, watchSitemap, input);
  if (secret === null) return post.redirect(`${pathOf(id)}?done=unhooked#hook`);
  const body = (
    <>
      <Notice>Copy it now: the secret is not shown again.</Notice>
      <p>A sender that signs its calls gets the address and the secret:</p>
      <CodeBlock text={watch.hook_url!} />
      <CodeBlock class="key" text={secret} />
      <p>Any other gets this address, which has the secret in it:</p>
      <CodeBlock class="key" text={`${watch.hook_url}/${secret}`} />
      <p>
        <a href="/docs/publish-hooks">How to set it up</a> ·{" "}
        <a href={pathOf(id)}>I have copied it. Back to the watch</a>
      </p>
    </>
  );
  post.show({ ...dashboardPage({ section: "watches", title: "Your publish hook", body }), showsSecret: true });
}
