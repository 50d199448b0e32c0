import type { ObjectCredential } from '@chargehand/contract';
import { signedWith } from '../../shared/storage/store.ts';

/** Hands a stored file to the browser to save, by a signed URL; opened in a new tab as spec §7 has it. */
export async function saveObject({ credential, key, fileName }: ObjectCredential): Promise<void> {
  const link = document.createElement('a');
  link.href = await signedWith(credential, key, fileName);
  link.target = '_blank';
  link.rel = 'noopener';
  link.click();
}
