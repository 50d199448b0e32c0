import type { Locale, SavedText } from '@chargehand/contract';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../../../shared/api/client.ts';
import { useUser } from '../../../../shared/session/use-user.ts';
import { type DraftSaver, type DraftState, draftSaver } from './draft-saver.ts';
import { dropCopy, placeOf, storeCopy } from './local-copy.ts';

/** How long after a change the copy in the browser is written. */
const COPY_MS = 1_000;

interface Options {
  documentId: number;
  locale: Locale;
  /** the current text, read when it is saved */
  read(): SavedText;
  /** the text differs from what the server has, from the start */
  unsaved: boolean;
  /** when the server stored the draft with which the editor starts; null without one */
  savedAt: string | null;
}

/** The draft of an author: on the server every 30 seconds and when the page is hidden, in the browser after a second. */
export function useDraft({ documentId, locale, read, unsaved, savedAt }: Options): {
  saver: DraftSaver;
  state: DraftState;
  /** Called after each change of the text. */
  changed(): void;
  /** The text was published or discarded: nothing of it remains. */
  published(): void;
} {
  const { user } = useUser();
  const place = placeOf(user.id, documentId, locale);
  const [state, setState] = useState<DraftState>({ changes: 'none', savedAt, problem: null });
  const current = useRef(read);
  current.current = read;
  const copying = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [saver] = useState(() =>
    draftSaver({
      savedAt,
      save: async (options) => {
        const changes = saver.changes();
        const body = current.current();
        const input = { params: { id: documentId, locale }, body };
        const answer = await call('saveDraft', input, { quiet: true, ...options }).catch((error: unknown) => {
          // Without the server the copy in the browser stays young.
          storeCopy(place, { at: Date.now(), ...body });
          throw error;
        });
        if (changes === saver.changes()) {
          clearTimeout(copying.current);
          dropCopy(place);
        }
        return answer;
      },
      onState: setState,
    }),
  );
  useEffect(() => {
    saver.start();
    if (unsaved) saver.changed();
    const copy = () => storeCopy(place, { at: Date.now(), ...current.current() });
    const hide = () => {
      if (document.visibilityState !== 'hidden') return;
      void saver.flush({ keepalive: true });
    };
    const unload = () => {
      if (copying.current !== undefined) copy();
      void saver.flush({ keepalive: true });
    };
    const online = () => void saver.flush();
    document.addEventListener('visibilitychange', hide);
    addEventListener('pagehide', unload);
    addEventListener('online', online);
    return () => {
      document.removeEventListener('visibilitychange', hide);
      removeEventListener('pagehide', unload);
      removeEventListener('online', online);
      clearTimeout(copying.current);
      saver.stop();
    };
  }, [saver, place, unsaved]);
  return {
    saver,
    state,
    changed() {
      saver.changed();
      clearTimeout(copying.current);
      copying.current = setTimeout(() => {
        copying.current = undefined;
        storeCopy(place, { at: Date.now(), ...current.current() });
      }, COPY_MS);
    },
    published() {
      clearTimeout(copying.current);
      copying.current = undefined;
      dropCopy(place);
      saver.published();
    },
  };
}
