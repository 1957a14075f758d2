import { connect } from "node:net";

/** A request, whole: a GET, or a POST of JSON where it has a body. */
export interface CallRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Calls {
  request(n: number): CallRequest;
  /** Whether the answer to a request is a success. @param text of ASCII; with chunks' lengths, where it comes in chunks */
  isRight(status: number, text: string): boolean;
}

/** Connections that are open at the same time to one server; each sends one request after another. */
const AT_ONCE = 10;

/**
 * Sends the requests from `first` up to `last`, all to one server. The client is as small as can be, so that it takes less for
 * a request than any server: the server always has work, as one that is fully loaded, and is not what waits.
 * @throws Error at the first answer that is not right
 */
export async function callAll({ request, isRight }: Calls, first: number, last: number): Promise<void> {
  let made = first;
  const onConnection = () =>
    new Promise<void>((resolve, reject) => {
      const { hostname, port } = new URL(request(first).url);
      const socket = connect({ host: hostname, port: Number(port), noDelay: true }).setEncoding("latin1");
      let received = "";
      const next = () => {
        if (made < last) return void socket.write(textOf(request(made++)), "utf8");
        socket.destroy();
        resolve();
      };
      socket.on("connect", next);
      socket.on("error", reject);
      socket.on("close", () => reject(new Error("The server closed a connection.")));
      socket.on("data", (piece: string) => {
        received += piece;
        const answer = answerIn(received);
        if (!answer) return;
        if (isRight(answer.status, answer.text)) {
          received = "";
          next();
        } else {
          socket.destroy(new Error(`The server answered ${received.slice(0, 1000)}`));
        }
      });
    });
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, last - first) }, onConnection));
}

function textOf({ url, headers, body }: CallRequest): string {
  const pathAt = url.indexOf("/", "http://".length);
  let head = `${body === undefined ? "GET" : "POST"} ${url.slice(pathAt)} HTTP/1.1\r\nHost: ${url.slice("http://".length, pathAt)}\r\n`;
  for (const name in headers) head += `${name}: ${headers[name]}\r\n`;
  if (body === undefined) return `${head}\r\n`;
  return `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

const LENGTH = /\r\ncontent-length: *(\d+)/i;
const NO_BODY = 304;

/** The answer, once all of it is here. @param received in Latin-1, a character for each byte */
function answerIn(received: string): { readonly status: number; readonly text: string } | null {
  const headEnd = received.indexOf("\r\n\r\n");
  if (headEnd < 0) return null;
  const status = Number(received.slice("HTTP/1.1 ".length, "HTTP/1.1 200".length));
  const text = received.slice(headEnd + 4);
  const length = LENGTH.exec(received.slice(0, headEnd))?.[1];
  const isWhole =
    status === NO_BODY || (length === undefined ? text.endsWith("0\r\n\r\n") : text.length >= Number(length));
  return isWhole ? { status, text } : null;
}
