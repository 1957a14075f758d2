import type { VNode } from "preact";
import type { Config } from "../../../platform/config/config.ts";
import { formatDollars } from "../../../platform/format.ts";
import { POPULAR } from "../../../platform/packs.ts";
import {
  AGENT_LINE_INTRO,
  AGENT_STARTS,
  CAVEATS,
  COSTS_SENTENCE,
  HEADLINE,
  LEAD,
  mcpLine,
  SANDBOX_NOTICE,
  STEPS,
} from "../../docs/index.ts";
import { CodeBlock } from "../components/code-block.tsx";
import { PackCards } from "../components/pack-cards.tsx";
import { TryBox } from "../components/try-box.tsx";
import { TRY_PATH } from "../shell/addresses.ts";
import { type PictureName, picture } from "../shell/assets.ts";
import { RawHtml } from "../shell/raw-html.tsx";
import { renderMarkdown } from "./markdown.tsx";

/** The front page: what Beckon does, how a project looks, what it costs, and where people and agents start. */
export function FrontPage({ config }: { config: Config }): VNode {
  const isSold = config.cards !== "none";
  const isOpen = config.signUp === "open";
  return (
    <div class="front">
      <section class="hero">
        <h1>{HEADLINE}</h1>
        <p class="lead">{LEAD}</p>
        {isOpen && <TryBox action={TRY_PATH} />}
        <p class="row">
          {isOpen && (
            <a class="button quiet" href="/sign-up">
              Create account
            </a>
          )}
          <a class={isOpen ? "button quiet" : "button"} href="/sign-in">
            Sign in
          </a>
          {isSold && (
            <span class="soft">Packs from {formatDollars(config.packs[0]!.amountCents)}, no subscription</span>
          )}
        </p>
        {config.mode === "sandbox" && <Text class="notice" markdown={SANDBOX_NOTICE} />}
      </section>
      <ProjectPicture />
      <section>
        <h2>How it works</h2>
        <ol class="front-steps">
          {STEPS.map(({ title, text }) => (
            <li key={title}>
              <h3>{title}</h3>
              <Text markdown={text} />
            </li>
          ))}
        </ol>
      </section>
      <section>
        <h2>What to expect</h2>
        <ul class="prose">
          {CAVEATS.map((text) => (
            <li key={text}>
              <Text markdown={text} />
            </li>
          ))}
        </ul>
      </section>
      <Prices config={config} isSold={isSold} />
      <section>
        <h2>For agents and programs</h2>
        <p>{AGENT_LINE_INTRO}</p>
        <CodeBlock text={mcpLine(config)} />
        <Text class="prose" markdown={AGENT_STARTS} />
      </section>
    </div>
  );
}

function Prices({ config, isSold }: { config: Config; isSold: boolean }): VNode {
  if (!config.isSelling)
    return (
      <section>
        <h2>Credits</h2>
        <p>
          {COSTS_SENTENCE} They are not sold here: <a href="/pricing">how to get credits</a>
        </p>
      </section>
    );
  return (
    <section>
      <h2>Prices</h2>
      <PackCards
        packs={config.packs}
        popular={POPULAR}
        heading="h3"
        action={({ id, name }) =>
          isSold && (
            <a class="act" href={`/dashboard/buy?pack=${id}`}>
              Buy {name}
            </a>
          )
        }
      />
      <p>
        {COSTS_SENTENCE} <a href="/pricing">More about prices</a>
      </p>
    </section>
  );
}

const PICTURE_ALT =
  "The page of a project after its last check: 93 of 120 pages in Google, a line of the pages found by day, why the others are not there, and 25 credits back.";

/** The page of a project, or a part of it on a phone, in the colours that the reader prefers. */
function ProjectPicture(): VNode {
  const phone = "(max-width: 40rem)";
  const dark = "(prefers-color-scheme: dark)";
  const { path, width, height } = picture("project-desk-light.webp");
  return (
    <figure>
      <picture>
        <Source name="project-phone-dark.webp" media={`${phone} and ${dark}`} />
        <Source name="project-phone-light.webp" media={phone} />
        <Source name="project-desk-dark.webp" media={dark} />
        <img src={path} width={width} height={height} alt={PICTURE_ALT} decoding="async" />
      </picture>
      <figcaption class="soft">
        The page of a project after its last check. Its search engines are simulated: your rate will be another one.
      </figcaption>
    </figure>
  );
}

function Source({ name, media }: { name: PictureName; media: string }): VNode {
  const { path, width, height } = picture(name);
  return <source media={media} srcset={path} width={width} height={height} />;
}

/** A paragraph of our own Markdown. */
function Text({ markdown, class: name = "" }: { markdown: string; class?: string }): VNode {
  return <RawHtml {...(name && { class: name })} html={renderMarkdown(markdown)} />;
}
