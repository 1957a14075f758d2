/** A plain request for the list of tools of the default toolsets. */
export interface ListRequest {
  readonly id: string | number;
  /** The version of the protocol that the answer is for. */
  readonly version: string;
}

/**
 * The answers to tools/list, which are the same for every caller: the SDK makes one for each version of the protocol, and only
 * the id at its end changes.
 */
export class ToolLists {
  readonly #beginnings = new Map<string, string>();

  /** The whole answer, as JSON text; undefined until the SDK has made one. */
  find({ id, version }: ListRequest): string | undefined {
    const beginning = this.#beginnings.get(version);
    return beginning === undefined ? undefined : beginning + endOf(id);
  }

  /** Keeps an answer of the SDK. @returns the same answer */
  async keep({ id, version }: ListRequest, response: Response): Promise<Response> {
    const { status, headers } = response;
    const text = await response.text();
    const end = endOf(id);
    if (status === 200 && text.endsWith(end)) this.#beginnings.set(version, text.slice(0, -end.length));
    return new Response(text, { status, headers });
  }
}

function endOf(id: string | number): string {
  return `,"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;
}
