import {
  constants,
  createCipheriv,
  createDecipheriv,
  createHash,
  createPublicKey,
  publicEncrypt,
  randomBytes,
} from 'node:crypto';
import type { BodyOf } from '@chargehand/contract';
import { accessEndpoints, CSRF_COOKIE, type Envelope, TOKEN_COOKIE, type UserInfo } from '@chargehand/contract';
import { type Challenge, solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';

export type LoginBody = BodyOf<typeof accessEndpoints.login>;

export interface SignedIn {
  envelope: Envelope<UserInfo | null>;
  /** the cookies of the new session; null when the sign-in was refused */
  session: { token: string; csrf: string } | null;
  /** the `Set-Cookie` headers as received */
  cookies: string[];
}

/** Signs in over HTTP as the sign-in page does: solves the captcha when required, and encrypts both fields. */
export async function signIn(url: string, userName: string, password: string, code?: string): Promise<SignedIn> {
  const body = await loginBody(url, userName, password);
  if (code === undefined) return await postLogin(url, body);
  const { publicKey } = await get<{ publicKey: string }>(url, accessEndpoints.publicKey.path, {});
  return await postLogin(url, { ...body, code: seal(publicKey, code) });
}

/** A body for the sign-in call, which can be sent once. */
export async function loginBody(
  url: string,
  userName: string,
  password: string,
  headers: Record<string, string> = {},
): Promise<LoginBody> {
  const { publicKey } = await get<{ publicKey: string }>(url, accessEndpoints.publicKey.path, headers);
  const captcha = await get<{ captchaId: string; challenge: Challenge | null }>(
    url,
    accessEndpoints.captcha.path,
    headers,
  );
  const sha256hex = createHash('sha256').update(password).digest('hex');
  return {
    userName: seal(publicKey, userName),
    password: seal(publicKey, `${sha256hex}:${captcha.captchaId}`),
    captchaId: captcha.captchaId,
    ...(captcha.challenge ? { captcha: await solve(captcha.challenge) } : {}),
  };
}

/** Sends a sign-in body, with cookies or further headers if a test needs them. */
export async function postLogin(url: string, body: LoginBody, headers: Record<string, string> = {}): Promise<SignedIn> {
  const response = await fetch(`${url}${accessEndpoints.login.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'sign-in test', ...headers },
    body: JSON.stringify(body),
  });
  const envelope = (await response.json()) as Envelope<UserInfo | null>;
  const cookies = response.headers.getSetCookie();
  const value = (name: string) =>
    cookies
      .find((cookie) => cookie.startsWith(`${name}=`))
      ?.slice(name.length + 1)
      .split(';')[0];
  const token = value(TOKEN_COOKIE);
  const csrf = value(CSRF_COOKIE);
  return { envelope, cookies, session: token && csrf ? { token, csrf } : null };
}

/** Encrypts for the server: `<wrapped key>.<iv>.<ciphertext and tag>`, each in base64 (design §4). */
export function seal(publicKey: string, content: string | Buffer): string {
  const key = randomBytes(32);
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const body = Buffer.concat([cipher.update(Buffer.from(content)), cipher.final(), cipher.getAuthTag()]);
  const wrapped = publicEncrypt(
    {
      key: createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' }),
      padding: constants.RSA_PKCS1_OAEP_PADDING,
      oaepHash: 'sha256',
    },
    key,
  );
  return [wrapped, iv, body].map((part) => part.toString('base64')).join('.');
}

/** A key for an encrypted answer of the server, and a function that decrypts that answer. */
export function answerKey(publicKey: string): { answerKey: string; open(answer: string): string } {
  const key = randomBytes(32);
  return {
    answerKey: seal(publicKey, key.toString('base64')),
    open(answer) {
      const [iv, body] = answer.split('.').map((part) => Buffer.from(part, 'base64'));
      const decipher = createDecipheriv('aes-256-gcm', key, iv!);
      decipher.setAuthTag(body!.subarray(-16));
      return Buffer.concat([decipher.update(body!.subarray(0, -16)), decipher.final()]).toString('utf8');
    },
  };
}

async function solve(challenge: Challenge): Promise<string> {
  const solution = await solveChallenge({ challenge, deriveKey });
  if (!solution) throw new Error('The captcha was not solved in time.');
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
}

async function get<T>(url: string, path: string, headers: Record<string, string>): Promise<T> {
  const response = await fetch(`${url}${path}`, { headers });
  const envelope = (await response.json()) as Envelope<T>;
  if (envelope.code !== 0) throw new Error(`${path} answered ${envelope.code}: ${envelope.message}`);
  return envelope.data;
}
