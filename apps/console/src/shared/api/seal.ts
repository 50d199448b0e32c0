import { answerKey, encryptFor } from '../lib/browser/encrypt.ts';
import { call } from './client.ts';

/** Encrypts content for the server. */
export async function seal(content: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const { publicKey } = await call('publicKey', {}, { quiet: true });
  return await encryptFor(publicKey, content);
}

/** A key with which the server encrypts its response for this page. */
export async function sealAnswer(): Promise<Awaited<ReturnType<typeof answerKey>>> {
  const { publicKey } = await call('publicKey', {}, { quiet: true });
  return await answerKey(publicKey);
}
