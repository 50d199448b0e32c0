import type { ObjectCredential } from '@chargehand/contract';
import { signedWith } from '../../shared/storage/store.ts';

/** Lets the browser save a stored file with a signed URL, opened in a new tab (spec §7). */
export async function saveObject({ credential, key, fileName }: ObjectCredential): Promise<void> {
  const link = document.createElement('a');
  link.href = await signedWith(credential, key, fileName);
  link.target = '_blank';
  link.rel = 'noopener';
  link.click();
}
