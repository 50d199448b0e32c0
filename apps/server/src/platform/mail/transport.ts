import { createTransport } from 'nodemailer';
import type { DeliveryFailure } from './back-off.ts';
import type { Mailbox } from './mailbox.ts';
import type { ClaimedMail } from './outbox.store.ts';

/** Timeouts of a mail server: for an answer, and for one mail in total. Milliseconds. */
const SILENCE_MS = 20_000;
const WHOLE_MS = 60_000;

/** The number of connections to the mail server, each for one mail after another. */
export const CONNECTIONS = 8;
/** An idle connection is closed after this time, before mail servers do so. Milliseconds. */
const IDLE_MS = 10_000;

/** The mail server did not accept a mail. */
export class DeliveryError extends Error implements DeliveryFailure {
  override name = 'DeliveryError';
  readonly responseCode: number | undefined;
  readonly command: string | undefined;

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    const { responseCode, command } = cause as Partial<DeliveryFailure>;
    this.responseCode = responseCode;
    this.command = command;
  }
}

/** Sends mails to the server behind an SMTP URL. */
export interface Transport {
  /**
   * Returns the answer of the server that accepted it.
   * @throws {DeliveryError} when the server did not accept it within a minute
   */
  send(mail: ClaimedMail): Promise<string>;
  /** Closes all connections, and ends what is being sent. */
  close(): void;
}

export function smtpTransport(smtp: { url: string; from: Mailbox }): Transport {
  const { from } = smtp;
  const transporter = createTransport({
    url: smtp.url,
    pool: true,
    maxConnections: CONNECTIONS,
    idleTimeout: IDLE_MS,
    connectionTimeout: SILENCE_MS,
    greetingTimeout: SILENCE_MS,
    socketTimeout: SILENCE_MS,
    dnsTimeout: SILENCE_MS,
    // Nothing in a mail may make this process read a file or load a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const host = from.address.slice(from.address.lastIndexOf('@') + 1);
  return {
    async send(mail) {
      const message = {
        from,
        to: { name: '', address: mail.receiver },
        subject: mail.subject,
        ...(mail.replyTo === null ? {} : { replyTo: mail.replyTo }),
        text: mail.text,
        html: mail.html,
        date: mail.createdAt,
        messageId: `<${mail.messageId}@${host}>`,
        headers: {
          // RFC 3834 §5: marked as automatic, so that no other program answers it.
          'Auto-Submitted': 'auto-generated',
          'Content-Language': mail.locale,
          ...(mail.unsubscribeUrl === null
            ? {}
            : {
                'List-Unsubscribe': `<${mail.unsubscribeUrl}>`,
                'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
              }),
        },
        signal: AbortSignal.timeout(WHOLE_MS),
      };
      const { response } = await transporter.sendMail(message).catch((error: unknown) => {
        throw new DeliveryError(error);
      });
      return response;
    },
    close: () => transporter.close({ force: true }),
  };
}
