/** A path of this site that may stand in an address, or /dashboard: nobody is led elsewhere (RFC 9700 section 4.11). */
export function localPath(text: string | null | undefined): string {
  return text && /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(text) && text.length <= 8_192 ? text : "/dashboard";
}
