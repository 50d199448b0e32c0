import type { EditedText, Locale } from '@chargehand/contract';
import { useEffect, useState } from 'react';
import { call } from '../../../shared/api/client.ts';
import { randomId } from '../../../shared/lib/browser/random-id.ts';

/** How often an author announces that they have the text open; the server forgets them after 45 seconds. */
const ANNOUNCE_MS = 15_000;

interface Others {
  /** the newest published version */
  version: number;
  editors: EditedText['editors'];
}

/** Who else has this language open in an editor, and the newest published version. */
export function useEditors(documentId: number, locale: Locale, first: Others): Others {
  const [others, setOthers] = useState(first);
  useEffect(() => {
    const params = { id: documentId, locale };
    const windowId = randomId();
    let left = false;
    const announce = () =>
      call('announceEditing', { params, body: { open: true, windowId } }, { quiet: true }).then(
        (now) => !left && setOthers(now),
        (error: unknown) => console.warn('The other authors are not known', error),
      );
    const leave = () => {
      left = true;
      call('announceEditing', { params, body: { open: false, windowId } }, { quiet: true, keepalive: true }).catch(
        (error: unknown) => console.warn('The end of editing was not announced', error),
      );
    };
    void announce();
    const timer = setInterval(announce, ANNOUNCE_MS);
    addEventListener('pagehide', leave);
    return () => {
      clearInterval(timer);
      removeEventListener('pagehide', leave);
      leave();
    };
  }, [documentId, locale]);
  return others;
}
