import type { Readable } from 'node:stream';

/** The view of one account of the FTP server: one folder, with at most one file to download and one to upload. */
export interface FtpFolder {
  file: { name: string; size: number; modifiedAt: Date } | null;
  /** The bytes of the file from an offset on; null when the credential has expired meanwhile. */
  read(first: number): Promise<Readable | null>;
  /** Called when the whole file was transferred. */
  delivered(): Promise<void>;
  /** True when a file may be uploaded to the folder. */
  takes: boolean;
  /** Stores an upload of the client. @throws FtpRefusal; when it throws, nothing is stored */
  write(name: string, chunks: AsyncIterable<Buffer>): Promise<void>;
}

/** Why a command is refused, as sent to the client: a reply code of RFC 959 §4.2 and a sentence. */
export class FtpRefusal extends Error {
  override name = 'FtpRefusal';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** The folder of an account; null when the credential is invalid. */
export type FtpSignIn = (user: string, password: string) => Promise<FtpFolder | null>;

/** Called for a refused sign-in. */
export type FtpRefused = (address: string, user: string, reason: 'password' | 'throttled') => void;

export interface FtpLimits {
  /** maximum number of control connections, in total and from one address, which all clients behind a router share */
  connections: number;
  connectionsOfAddress: number;
  /**
   * the time in ms without a command after which a control connection is closed, and without a byte a data connection
   */
  idleMs: number;
}

export const FTP_LIMITS: FtpLimits = {
  connections: 200,
  connectionsOfAddress: 50,
  idleMs: 60_000,
};
