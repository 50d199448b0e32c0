import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { expect } from 'vitest';

/** A mail as it arrived: its receivers, and its headers and parts. */
export interface ReceivedMail {
  receivers: string[];
  sender: string;
  email: Email;
}

/** A real SMTP server on this machine, with the mails that it received. */
export interface MailServer {
  url: string;
  port: number;
  mails: ReceivedMail[];
  /** completely received texts, accepted or not */
  texts: number;
  /** the connections that were opened, and those that are open now */
  connections: { opened: number; readonly open: number };
  /** How it handles receivers and texts; undefined accepts them. */
  refuse: { receiver?: Error & { responseCode: number }; text?: Error & { responseCode: number } };
  /** Texts wait for this before they are accepted. */
  hold: Promise<void> | null;
  /** Waits until so many mails for an address have arrived, and returns the newest. */
  newest(receiver: string, count?: number): Promise<ReceivedMail>;
  /** Breaks all connections, as a server that restarts. */
  disconnect(): void;
  stop(): Promise<void>;
}

/** A refusal with an SMTP reply code. */
export function refusal(responseCode: number, message: string): Error & { responseCode: number } {
  return Object.assign(new Error(message), { responseCode });
}

export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const refuse: MailServer['refuse'] = {};
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onConnect(_session, done) {
      self.connections.opened += 1;
      done();
    },
    onRcptTo: (_address, _session, done) => done(refuse.receiver ?? null),
    onData(stream, session, done) {
      const take = async () => {
        const source = await text(stream);
        self.texts += 1;
        await self.hold;
        if (refuse.text) throw refuse.text;
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          receivers: rcptTo.map(({ address }) => address),
          sender: mailFrom ? mailFrom.address : '',
          email: await PostalMime.parse(source),
        });
      };
      // A client that is killed does not finish its text.
      take().then(() => done(), done);
    },
  });
  // A client that is killed breaks its connection in the middle of a command.
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  const to = (receiver: string) => mails.filter(({ receivers }) => receivers.includes(receiver));
  const self: MailServer = {
    url: `smtp://127.0.0.1:${port}`,
    port,
    mails,
    texts: 0,
    connections: {
      opened: 0,
      get open() {
        return server.connections.size;
      },
    },
    refuse,
    hold: null,
    async newest(receiver, count = 1) {
      await expect.poll(() => to(receiver).length, { timeout: 30_000 }).toBe(count);
      return to(receiver).at(-1) as ReceivedMail;
    },
    disconnect() {
      for (const connection of server.connections) connection.close();
    },
    stop: () => new Promise((stopped) => server.close(() => stopped())),
  };
  return self;
}

/** The token of the secret link in a mail. @throws when there is none */
export function tokenIn(mailText: string | null | undefined): string {
  const token = /\/find-password\/\w+\?lang=[\w-]+#([\w-]+)/.exec(mailText ?? '')?.[1];
  if (!token) throw new Error(`There is no link in: ${mailText}`);
  return token;
}
