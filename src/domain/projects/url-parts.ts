/** The host of a URL in stored form, and the folder: the host with the first segment of the path that has others below it. */
export function partsOf(url: string): { host: string; folder: string } {
  const start = url.indexOf("//") + 2;
  const path = url.indexOf("/", start);
  const host = url.slice(start, path);
  const end = url.search(/[?#]/);
  const next = url.indexOf("/", path + 1);
  const isInFolder = next !== -1 && (end === -1 || next < end);
  return { host, folder: url.slice(start, isInFolder ? next + 1 : path + 1) };
}
