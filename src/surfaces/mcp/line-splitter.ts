import { Transform } from "node:stream";

const NEWLINE = 0x0a;

/**
 * Passes on whole lines only. The SDK copies its buffer with every chunk, which takes a minute for 80 MB; so it gets each
 * message in one piece. A line longer than `max` bytes is passed on as it comes, for the SDK to refuse.
 */
export function wholeLines(max: number): Transform {
  let held: Buffer[] = [];
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const end = size + chunk.length > max ? chunk.length : chunk.lastIndexOf(NEWLINE) + 1;
      if (end > 0) {
        this.push(Buffer.concat([...held, chunk.subarray(0, end)]));
        held = [];
        size = 0;
      }
      if (end < chunk.length) {
        held.push(chunk.subarray(end));
        size += chunk.length - end;
      }
      done();
    },
  });
}
