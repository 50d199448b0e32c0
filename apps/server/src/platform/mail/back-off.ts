const MINUTE = 60;
const HOUR = 60 * MINUTE;

/**
 * Seconds until the next attempt after the first failure, the second, and so on: about four days in total (RFC 5321
 * §4.5.4.1).
 */
const DELAYS = [
  15,
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
  16 * HOUR,
  24 * HOUR,
  24 * HOUR,
];

/** The error of an attempt, from the mail server or the network. */
export interface DeliveryFailure {
  /** SMTP reply code, if the server replied */
  responseCode?: number | undefined;
  /** the SMTP command that was refused */
  command?: string | undefined;
}

/**
 * Seconds to wait after a failed attempt, null to give up. `attempts` is the number of attempts so far. A permanently
 * refused receiver (5yz to RCPT TO or to the text, RFC 5321 §4.2.1) is not tried again. Refused credentials are,
 * because the operator can correct them.
 */
export function retryAfter(attempts: number, failure: DeliveryFailure): number | null {
  const { responseCode = 0, command } = failure;
  if (responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA')) return null;
  return DELAYS[attempts - 1] ?? null;
}
