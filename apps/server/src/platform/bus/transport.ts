export interface Incoming {
  from: number;
  text: string;
}

export interface TransportEvents {
  onMessage(message: Incoming): void;
  /** messages to everyone may be missing */
  onGap(): void;
}

/** Carries texts between processes, in the order of each sender. */
export interface Transport {
  /**
   * Sends a text to all other processes, or to one. After `expiresMs` it is not sent any more. With `service`, only the
   * processes that serve the subject need to receive it.
   * @returns the other processes that could receive it; null: unknown. Never rejects
   */
  send(text: string, options: { to?: number; service?: string; expiresMs?: number }): Promise<readonly number[] | null>;
  /** This process serves a subject, or does not any more. */
  serves?(subject: string, now: boolean): void;
  /** how long to wait for further processes that serve a subject after the first one has answered. Milliseconds */
  othersMs: number;
  close(): Promise<void>;
}
