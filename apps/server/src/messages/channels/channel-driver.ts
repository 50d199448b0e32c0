import type { Locale } from '@chargehand/contract';
import type { SendAnswer } from '@chargehand/domain';

/** A message as a channel sends it. */
export interface ChannelMessage {
  /** the same in each attempt, so that a receiver can recognize a repetition */
  id: string;
  /** when it was written; the same in each attempt */
  at: Date;
  locale: Locale;
  title: string;
  /** may have several lines; plain text */
  text: string;
  /** what a click opens */
  url: string;
  /** for programs */
  data: Readonly<Record<string, unknown>>;
}

/**
 * A way by which messages leave the product. The result of
 * an attempt is always an answer, never an error, unless the product itself is wrong.
 */
export interface MessageChannelDriver<Receiver> {
  send(receiver: Receiver, message: ChannelMessage): Promise<SendAnswer>;
}
