import type { EditedText, Locale, SavedText } from '@chargehand/contract';
import { useEffect, useRef, useState } from 'react';
import { call } from '../../../../shared/api/client.ts';
import { i18n } from '../../../../shared/i18n/i18n.ts';
import { randomId } from '../../../../shared/lib/browser/random-id.ts';
import { useUser } from '../../../../shared/session/use-user.ts';
import { type DraftSaver, type DraftState, draftSaver } from './draft-saver.ts';
import { dropCopy, placeOf, storeCopy } from './local-copy.ts';
import { type CommonText, commonText, mergedDraft, type OtherDraft } from './other-window.ts';
import type { Start } from './start-of.ts';

/** How long after a change the copy in the browser is written. */
const COPY_MS = 1_000;
/** How often the copy is renewed while the server does not have the text: copies are deleted after two minutes. */
const RENEW_MS = 30_000;

/** Two drafts of the author that changed the same part. */
export interface DraftConflict {
  base: CommonText | null;
  mine: SavedText;
  theirs: OtherDraft;
}

interface Options {
  text: EditedText;
  start: Start;
  /** the current text, read when it is saved */
  read(): SavedText;
  /** Shows a text that was merged with the one of another window. */
  show(text: SavedText): void;
  /** Asks the author to choose. */
  onConflict(conflict: DraftConflict): void;
}

/** The draft of an author: on the server every 30 seconds and when the page is hidden, in the browser after a second. */
export function useDraft({ text, start, read, show, onConflict }: Options): {
  saver: DraftSaver;
  state: DraftState;
  /** the draft on the server that this window's text includes; null: none */
  replaces(): string | null;
  /** Called after each change of the text. */
  changed(): void;
  /** The text was published or discarded: nothing of it remains. */
  published(): void;
  /** Saves again after a failure, and asks again after a conflict. */
  retry(): void;
  /** The author has combined this text with the one of another window. */
  resolved(theirs: OtherDraft): void;
} {
  const { documentId, locale } = text;
  const { user } = useUser();
  const place = placeOf(user.id, documentId, locale);
  const savedAt = text.draft?.savedAt ?? null;
  const [state, setState] = useState<DraftState>({ changes: 'none', savedAt, problem: null });
  const current = useRef({ read, show, onConflict });
  current.current = { read, show, onConflict };
  const copying = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [server] = useState(() => serverDraft({ documentId, locale, text, start, current }));
  const copy = () => storeCopy(place, { at: Date.now(), ...current.current.read(), replaces: server.replaces() });
  const copyNow = useRef(copy);
  copyNow.current = copy;
  const [saver] = useState(() =>
    draftSaver({
      savedAt,
      save: async (options) => {
        const changes = saver.changes();
        const answer = await server.save(options).catch((error: unknown) => {
          // Without the server the copy in the browser stays young.
          copyNow.current();
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
  const isMissing = state.changes !== 'none';
  useEffect(() => {
    if (!isMissing) return;
    const renewing = setInterval(() => copyNow.current(), RENEW_MS);
    return () => clearInterval(renewing);
  }, [isMissing]);
  const unsaved = start.from === 'browser';
  useEffect(() => {
    saver.start();
    if (unsaved) saver.changed();
    const hide = () => {
      if (document.visibilityState !== 'hidden') return;
      void saver.flush({ keepalive: true });
    };
    const unload = () => {
      if (copying.current !== undefined) copyNow.current();
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
  }, [saver, unsaved]);
  return {
    saver,
    state,
    replaces: server.replaces,
    changed() {
      saver.changed();
      clearTimeout(copying.current);
      copying.current = setTimeout(() => {
        copying.current = undefined;
        copyNow.current();
      }, COPY_MS);
    },
    published() {
      clearTimeout(copying.current);
      copying.current = undefined;
      dropCopy(place);
      server.forget();
      saver.published();
    },
    retry() {
      server.reopen();
      void saver.flush();
    },
    resolved(theirs) {
      server.accept(theirs);
      saver.changed();
      void saver.flush();
    },
  };
}

/** What this window knows of the author's draft on the server. */
function serverDraft(options: {
  documentId: number;
  locale: Locale;
  text: EditedText;
  start: Start;
  current: { current: Pick<Options, 'read' | 'show' | 'onConflict'> };
}) {
  const { documentId, locale, text, start, current } = options;
  let replaces = start.replaces;
  let agreed: CommonText | null = replaces !== null && text.draft?.draftId === replaces ? text.draft : null;
  let asking = false;
  /** ids of texts that were sent: after a lost answer, the draft on the server may be one of them */
  const sent = new Set<string>();

  function accept(theirs: OtherDraft): void {
    replaces = theirs.draftId;
    agreed = theirs;
    asking = false;
  }

  /** @throws Error with a message for the author */
  async function save(request: { keepalive: boolean }): Promise<{ savedAt: string }> {
    if (asking) throw new Error(i18n.t('editor:otherWindow.choose'));
    const mine = current.current.read();
    const draftId = randomId();
    sent.add(draftId);
    const body = { ...mine, draftId, replaces };
    const answer = await call('saveDraft', { params: { id: documentId, locale }, body }, { quiet: true, ...request });
    if (answer.state === 'saved') {
      replaces = draftId;
      agreed = mine;
      return answer;
    }
    const theirs = answer.draft;
    if (sent.has(theirs.draftId)) replaces = theirs.draftId;
    else await combine(theirs);
    return await save(request);
  }

  async function combine(theirs: OtherDraft): Promise<void> {
    const base = await commonText({ documentId, locale, agreed }, current.current.read(), theirs);
    const mine = current.current.read();
    const merged = mergedDraft(base, mine, theirs);
    if (!merged) {
      asking = true;
      current.current.onConflict({ base, mine, theirs });
      throw new Error(i18n.t('editor:otherWindow.choose'));
    }
    current.current.show(merged);
    accept(theirs);
  }

  return {
    replaces: () => replaces,
    save,
    accept,
    reopen(): void {
      asking = false;
    },
    /** The draft was published or discarded. */
    forget(): void {
      replaces = null;
      agreed = null;
      asking = false;
    },
  };
}
