import type { VNode } from "preact";
import { HEADLINE } from "../../docs/index.ts";
import { picture } from "./assets.ts";

export interface PagePreview {
  /** The one address of the page. */
  readonly address: string;
  /** One sentence, without markup. */
  readonly description: string;
  /** Without a slash at the end; other sites need the whole address of the picture. */
  readonly siteUrl: string;
}

/** What search engines and other sites show of a page: Open Graph (ogp.me), which the cards of X fall back to. */
export function PreviewTags({ title, preview }: { title: string; preview: PagePreview }): VNode {
  const { address, description, siteUrl } = preview;
  const { path, width, height } = picture("share.png");
  return (
    <>
      <meta name="description" content={description} />
      <link rel="canonical" href={address} />
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content="Beckon" />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={address} />
      <meta property="og:image" content={siteUrl + path} />
      <meta property="og:image:width" content={String(width)} />
      <meta property="og:image:height" content={String(height)} />
      <meta property="og:image:alt" content={`Beckon: ${HEADLINE}`} />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}
