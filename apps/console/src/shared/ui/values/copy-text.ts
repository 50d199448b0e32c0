import { i18n } from '../../i18n/i18n.ts';
import { toast } from '../dialogs/toast.ts';

/** Copies a text to the clipboard and shows the result (spec §8). */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast.success(i18n.t('com_msg_copy_success'));
  } catch (error) {
    console.warn('The clipboard is not available', error);
    toast.error(i18n.t('com_msg_copy_fail'));
  }
}
