import type { Readable } from 'node:stream';

/** What one account of the FTP server sees: one folder, with at most one file to fetch and one to put there. */
export interface FtpFolder {
  file: { name: string; size: number; modifiedAt: Date } | null;
  /** The bytes of the file from an offset on; null when the credential has ended meanwhile. */
  read(first: number): Promise<Readable | null>;
  /** Called when the whole file was transferred. */
  delivered(): Promise<void>;
  /** True when something may be put into the folder. */
  takes: boolean;
  /** Keeps what a client puts into the folder. @throws FtpRefusal; whatever it throws, nothing is kept */
  write(name: string, chunks: AsyncIterable<Buffer>): Promise<void>;
}

/** Why something is not done, as the client is told it: a reply code of RFC 959 §4.2 and a sentence. */
export class FtpRefusal extends Error {
  override name = 'FtpRefusal';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** The folder of somebody who signs in; null when the credential opens nothing. */
export type FtpSignIn = (user: string, password: string) => Promise<FtpFolder | null>;

/** Told of a sign-in that was refused. */
export type FtpRefused = (address: string, user: string, reason: 'password' | 'throttled') => void;

export interface FtpLimits {
  /** control connections in total, and from one address, which all clients behind a router share */
  connections: number;
  connectionsOfAddress: number;
  /** a control connection without a command, and a data connection without a byte, for so long is ended. ms */
  idleMs: number;
}

export const FTP_LIMITS: FtpLimits = {
  connections: 200,
  connectionsOfAddress: 50,
  idleMs: 60_000,
};
