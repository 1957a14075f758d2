/** A message of a stream. */
export interface Streamed {
  readonly method?: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at what came, whatever it is
  readonly params?: any;
  readonly result?: object;
}

/** Opens a stream by POST, and collects its messages as they come. */
export async function openStream(url: string, request: { body: object; headers: Record<string, string>; key: string }) {
  const gone = new AbortController();
  const response = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: {
      ...{ "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
      ...{ Authorization: `Bearer ${request.key}` },
      ...request.headers,
    },
    body: JSON.stringify(request.body),
    signal: gone.signal,
  });
  const messages: Streamed[] = [];
  const stream = {
    status: response.status,
    headers: response.headers,
    messages,
    isOver: false,
    named: (name: string) => messages.filter(({ method }) => method === `notifications/events/${name}`),
    close: () => gone.abort(),
  };
  const read = async () => {
    let text = "";
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const blocks = text.split("\n\n");
      text = blocks.pop()!;
      for (const block of blocks) messages.push(JSON.parse(/^data: (.*)$/m.exec(block)![1]!));
    }
  };
  void read()
    .catch(() => undefined)
    .finally(() => {
      stream.isOver = true;
    });
  return stream;
}

export type OpenedStream = Awaited<ReturnType<typeof openStream>>;
