/** The text if it is a path of this site, otherwise /dashboard, so that it can be redirected to (RFC 9700 section 4.11). */
export function localPath(text: string | null | undefined): string {
  return text && /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(text) && text.length <= 16_384 ? text : "/dashboard";
}
