/** A message that was not taken. Says nothing of what a server said: that may quote the message and its recipient. */
export class MailFailure extends Error {
  override readonly name = "MailFailure";
  /** A word of ours or of the system, such as ECONNREFUSED, or the number of an SMTP reply. */
  readonly reason: string;
  /** Whether trying again is no use. */
  readonly isFinal: boolean;

  constructor(message: string, reason: string, isFinal: boolean) {
    super(message);
    this.reason = reason;
    this.isFinal = isFinal;
  }
}

/** Why a message was not taken, for the log. */
export function mailFailureReason(thrown: unknown): string {
  if (thrown instanceof MailFailure) return thrown.reason;
  return (thrown as NodeJS.ErrnoException | undefined)?.code ?? "unknown";
}
