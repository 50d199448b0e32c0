import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { LISTEN_BACKLOG } from '../http/listen.ts';
import type { Log } from '../log.ts';
import type { Certificate } from '../tls/certificate.ts';

/** The largest mail, with its attachments. */
const MAIL_BYTES = 15 * 1024 * 1024;
/** Connections at a time, in total and from one address. Each can hold a mail in memory. */
const CONNECTIONS = 10;
const PER_ADDRESS = 4;
/** Beyond these, connections are closed without an answer: one that gets a temporary error also takes memory. */
const MOST_CONNECTIONS = 30;
/** A connection without a command for so long is closed. Milliseconds. */
const SILENCE_MS = 60_000;

/** A mail for an address that this server knows. */
export interface InboundMail {
  receiver: string;
  /** empty: an automatic answer about another mail */
  sender: string;
  source: Buffer;
  /** the network address of the mail server that sent it */
  address: string;
}

/** The result for a mail: done, or refused for good. Other failures are thrown, and the sender tries again later. */
export type InboundResult = 'done' | 'refused';

export interface InboundServer {
  listen(): Promise<void>;
  /** the port that it listens on */
  port(): number;
  /** Encrypts new connections with another certificate, if it had one at the start. */
  useCertificate(certificate: Certificate): void;
  stop(): Promise<void>;
}

function reply(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

/**
 * Receives mails for known addresses, and passes no mail on. A mail is confirmed after `take` has stored it, so its
 * sender keeps it until then. Unknown, forged and expired addresses are answered alike.
 */
export function inboundServer(parts: {
  host: string;
  port: number;
  domain: string;
  certificate: Certificate | null;
  knows(receiver: string): boolean;
  take(mail: InboundMail): Promise<InboundResult>;
  log: Log;
}): InboundServer {
  const { host, port, domain, certificate, knows, take, log } = parts;
  const connections = new Map<string, number>();
  const server = new SMTPServer({
    name: domain,
    banner: 'Chargehand',
    ...(certificate ? { cert: certificate.cert, key: certificate.key } : {}),
    authOptional: true,
    disabledCommands: certificate ? ['AUTH'] : ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: MAIL_BYTES,
    maxClients: CONNECTIONS,
    socketTimeout: SILENCE_MS,
    closeTimeout: 5_000,
    logger: false,
    onConnect({ remoteAddress }, done) {
      const count = (connections.get(remoteAddress) ?? 0) + 1;
      connections.set(remoteAddress, count);
      done(count > PER_ADDRESS ? reply(421, 'Too many connections from your address') : null);
    },
    onClose({ remoteAddress }) {
      const count = (connections.get(remoteAddress) ?? 1) - 1;
      if (count > 0) connections.set(remoteAddress, count);
      else connections.delete(remoteAddress);
    },
    onRcptTo({ address }, session, done) {
      if (session.envelope.rcptTo.length > 0) done(reply(452, 'One recipient for each mail'));
      else done(knows(address) ? null : reply(550, 'No such mailbox here'));
    },
    onData(stream, session, done) {
      receive(stream, session).then(
        (result) => done(result === 'done' ? null : reply(550, 'You cannot comment on this issue')),
        (error: unknown) => {
          if (error instanceof Error && 'responseCode' in error) return done(error);
          log.error({ err: error }, 'an incoming mail could not be stored; its sender tries again');
          done(reply(451, 'Try again later'));
        },
      );
    },
  });
  server.server.maxConnections = MOST_CONNECTIONS;
  server.on('error', (error: Error) => log.debug({ err: error }, 'a connection of a mail server failed'));

  async function receive(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<InboundResult> {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size <= MAIL_BYTES) chunks.push(chunk);
    }
    if (size > MAIL_BYTES || stream.sizeExceeded) throw reply(552, 'The mail is too large');
    const { mailFrom, rcptTo } = session.envelope;
    return await take({
      receiver: rcptTo[0]?.address ?? '',
      sender: mailFrom ? mailFrom.address : '',
      source: Buffer.concat(chunks),
      address: session.remoteAddress,
    });
  }

  return {
    async listen() {
      const listening = server.listen(port, host, LISTEN_BACKLOG);
      await once(listening, 'listening');
    },
    port: () => (server.server.address() as AddressInfo).port,
    useCertificate({ cert, key }) {
      if (certificate) server.updateSecureContext({ cert, key });
    },
    stop: () => new Promise((stopped) => server.close(() => stopped())),
  };
}
