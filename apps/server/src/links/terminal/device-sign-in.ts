import type { Duplex } from 'node:stream';
import ssh2, { type AuthHandlerMiddleware, type Client, type ConnectConfig } from 'ssh2';
import type { Cancel, Clock } from '../../platform/clock.ts';
import { Problem } from '../../platform/http/problem.ts';
import { fastPackets, joinPackets } from '../gateway/fast-ssh.ts';
import { WINDOW_BYTES } from './output-window.ts';
import { type LimitedShell, limitedShell } from './shell-window.ts';

/** For the sign-in, and then for the shell. */
const SIGN_IN_MS = 20_000;
const MAX_BANNER = 8_192;

/**
 * Devices with old firmware know nothing newer. The connection is inside of the tunnel, which accepts only current
 * algorithms.
 */
const OLD_ALGORITHMS: ConnectConfig['algorithms'] = {
  kex: {
    append: ['diffie-hellman-group-exchange-sha1', 'diffie-hellman-group14-sha1', 'diffie-hellman-group1-sha1'],
    prepend: [],
    remove: [],
  },
  cipher: { append: ['aes256-cbc', 'aes128-cbc', '3des-cbc'], prepend: [], remove: [] },
  serverHostKey: { append: ['ssh-dss'], prepend: [], remove: [] },
  hmac: { append: ['hmac-sha1-96', 'hmac-md5'], prepend: [], remove: [] },
};

export interface TerminalSize {
  cols: number;
  rows: number;
}

/** The user of a device, with a password, or with the private key of the link. */
export type TerminalSignIn = { userName: string } & ({ password: string } | { privateKey: string });

/** A shell on a device, and the text that the device shows before the sign-in. */
export interface SignedIn extends LimitedShell {
  client: Client;
  banner: string;
}

/**
 * Signs in to the SSH server of a device and starts a shell.
 * @throws {Problem} terminalSignIn, terminalKeyRefused, terminalFailed
 */
export async function signInToDevice(
  transport: Duplex,
  signIn: TerminalSignIn & { size: TerminalSize },
  { clock, port }: { clock: Clock; port: number },
): Promise<SignedIn> {
  const client = new ssh2.Client();
  fastPackets(client);
  const { promise, resolve, reject } = Promise.withResolvers<LimitedShell>();
  const failed = () => reject(new Problem('terminalFailed', { values: { port } }));
  let banner = '';
  let cancel: Cancel = () => undefined;
  client.on('error', (error: Error & { level?: string }) => {
    if (error.level !== 'client-authentication') failed();
    else if ('privateKey' in signIn) reject(new Problem('terminalKeyRefused', { values: { user: signIn.userName } }));
    else reject(new Problem('terminalSignIn'));
  });
  client.on('close', failed);
  client.on('banner', (text) => {
    banner = (banner + text).slice(0, MAX_BANNER);
  });
  client.on('ready', () => {
    // A device may accept the sign-in and then never answer.
    cancel = clock.after(SIGN_IN_MS, failed);
    limitedShell(client, signIn.size, WINDOW_BYTES, (error, limited) => {
      if (error) failed();
      else resolve(limited);
    });
  });
  // The tunnel leads to the device itself, so its key proves nothing more.
  client.connect({
    ...{
      sock: joinPackets(transport),
      username: signIn.userName,
      readyTimeout: SIGN_IN_MS,
      algorithms: OLD_ALGORITHMS,
    },
    authHandler: attempts(signIn) as ConnectConfig['authHandler'],
  });
  try {
    const { shell, grant } = await promise;
    return { client, shell, grant, banner };
  } catch (error) {
    client.end();
    client.destroy();
    throw error;
  } finally {
    cancel();
  }
}

/**
 * The attempts to sign in: none for accounts without a password, then the key, or the password once. A second attempt
 * with another method would count as a second wrong password on the device.
 */
function attempts(signIn: TerminalSignIn): AuthHandlerMiddleware {
  const username = signIn.userName;
  let tried = false;
  return ((left: string[] | null, _partial: boolean | null, next: (method: unknown) => void) => {
    if (left === null) return next({ type: 'none', username });
    if (tried) return next(false);
    tried = true;
    if ('privateKey' in signIn) return next({ type: 'publickey', username, key: signIn.privateKey });
    const { password } = signIn;
    if (left.includes('password')) return next({ type: 'password', username, password });
    if (!left.includes('keyboard-interactive')) return next(false);
    next({
      type: 'keyboard-interactive',
      username,
      prompt: prompts(username, password),
    });
  }) as AuthHandlerMiddleware;
}

/** Answers the questions of a device once: a question whose answer is shown is about the user name. */
function prompts(userName: string, password: string) {
  let answered = false;
  return (
    _name: string,
    _instructions: string,
    _language: string,
    questions: { prompt: string; echo?: boolean }[],
    finish: (answers: string[]) => void,
  ) => {
    if (answered && questions.length > 0) return finish([]);
    if (questions.length > 0) answered = true;
    finish(questions.map(({ echo }) => (echo ? userName : password)));
  };
}
