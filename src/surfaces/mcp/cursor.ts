import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";

/** Lists have one page, so that every cursor is unknown. */
export function refuseCursor(cursor: string | undefined): void {
  if (cursor !== undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such cursor.");
}
