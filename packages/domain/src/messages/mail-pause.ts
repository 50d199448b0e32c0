/** The minimum time between two mails to a user about the same site. Milliseconds. */
export const MAIL_PAUSE_MS = 5 * 60_000;

/** A mail, as far as the pause depends on it. */
export interface PausedMail {
  /** `urgencyOf` the worst fault that it announces */
  urgency: number;
  /** it announces a critical fault that is new at its site */
  critical: boolean;
}

/**
 * True when a mail does not wait for the pause: it announces a critical fault, or something worse than the mails within
 * the pause. `last`: their highest urgency.
 */
export function breaksPause(mail: PausedMail, last: number): boolean {
  return mail.critical || mail.urgency > last;
}
