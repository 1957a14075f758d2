/** A message that was not accepted. It never quotes the server, whose reply may contain the message and its recipient. */
export class MailFailure extends Error {
  override readonly name = "MailFailure";
  /** A code of ours or of the system, such as ECONNREFUSED, or an SMTP reply code. */
  readonly reason: string;
  /** Whether a retry is useless. */
  readonly isFinal: boolean;

  constructor(message: string, reason: string, isFinal: boolean) {
    super(message);
    this.reason = reason;
    this.isFinal = isFinal;
  }
}

/** Why a message was not accepted, for the log. */
export function mailFailureReason(thrown: unknown): string {
  if (thrown instanceof MailFailure) return thrown.reason;
  return (thrown as NodeJS.ErrnoException | undefined)?.code ?? "unknown";
}
