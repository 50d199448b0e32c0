import type { EditedText, GivenFiles, SavedText, SaveResult } from '@chargehand/contract';
import { CONTENT_BYTES, cleanContent, type DocumentContent, lineOf, linesOf } from '@chargehand/domain';
import { EditorContent, useEditor } from '@tiptap/react';
import { Button, Input } from 'antd';
import { type ReactNode, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { refresh } from '../../../shared/api/query.ts';
import { i18n } from '../../../shared/i18n/i18n.ts';
import { useUser } from '../../../shared/session/use-user.ts';
import blocks from '../../../shared/ui/content/text.module.css';
import { Confirm } from '../../../shared/ui/dialogs/confirm.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import type { ContentLimit } from '../../../shared/ui/editor/content-limits.ts';
import { editorExtensions } from '../../../shared/ui/editor/editor-extensions.ts';
import nodes from '../../../shared/ui/editor/editor-text.module.css';
import { pasteMarkdown } from '../../../shared/ui/editor/files/paste-markdown.ts';
import { takeFiles } from '../../../shared/ui/editor/files/take-files.ts';
import { FileButton, Uploads } from '../../../shared/ui/editor/files/uploads.tsx';
import { useUploads } from '../../../shared/ui/editor/files/use-uploads.ts';
import { showContent } from '../../../shared/ui/editor/show-content.ts';
import { findMentions } from '../../../shared/ui/editor/suggestions/find-mentions.ts';
import { Toolbar } from '../../../shared/ui/editor/toolbar.tsx';
import { type Conflict, ConflictDialog, WindowsDialog } from '../versions/conflict-dialog.tsx';
import { VersionsDialog } from '../versions/versions-dialog.tsx';
import { DraftLine } from './draft-line.tsx';
import { LeaveDraft } from './drafts/leave-draft.tsx';
import { placeOf, readCopy } from './drafts/local-copy.ts';
import { startOf } from './drafts/start-of.ts';
import { type DraftConflict, useDraft } from './drafts/use-draft.ts';
import css from './editor.module.css';
import { Notes } from './notes.tsx';
import { PublishDialog } from './publish-dialog.tsx';
import { useEditors } from './use-editors.ts';

interface Props {
  text: EditedText;
  /** the version of the other language that the author sees; 0: it has no text */
  compared: number;
  /** a function that saves the draft before this language is left */
  onFlush(flush: () => Promise<boolean>): void;
  /** buttons before "Publish" */
  actions: ReactNode;
  /** what is shown beside the text */
  beside: ReactNode;
}

/** One language of a document: title, summary and content, saved as a draft until it is published. */
export function TextEditor({ text, compared, onFlush, actions, beside }: Props) {
  const { t } = useTranslation('editor');
  const { documentId, locale } = text;
  const { user } = useUser();
  const [start] = useState(() => startOf(text, readCopy(placeOf(user.id, documentId, locale))));
  const [fields, setFields] = useState({ title: start.title, description: start.description });
  const [version, setVersion] = useState(text.version);
  const [from, setFrom] = useState(start.from);
  const [dialog, setDialog] = useState<'publish' | 'discard' | 'versions' | null>(null);
  const [conflict, setConflict] = useState<{ mine: SavedText; theirs: Conflict } | null>(null);
  const [given, setGiven] = useState<GivenFiles | null>(null);
  const [windows, setWindows] = useState<DraftConflict | null>(null);
  const base = useRef(start.baseVersion);
  const entered = useRef(fields);
  const words = useRef(t);
  words.current = t;
  const refused = useRef((_: ContentLimit): void => undefined);
  refused.current = (limit) => toast.error(t(`limit.${limit}`));
  const uploads = useUploads({ documentId });
  const take = useRef<(files: File[], position?: number | number[]) => void>(() => undefined);
  const leftOut = useRef((_: number): void => undefined);
  leftOut.current = (count) => toast.info(t('files.leftOut', { count }));
  const converted = useRef((): void => undefined);
  converted.current = () => toast.info(t('pasted.markdown'));
  const [extensions] = useState(() => [
    ...editorExtensions({
      placeholder: () => i18n.t('editor:placeholder'),
      blockLabel: (name) => words.current(`block.${name}`),
      refused: (limit) => refused.current(limit),
      find: findMentions,
      bytes: CONTENT_BYTES,
    }),
    pasteMarkdown(() => converted.current()),
    takeFiles({
      take: (files, position) => take.current(files, position),
      leftOut: (count) => leftOut.current(count),
    }),
  ]);
  const editor = useEditor({
    extensions,
    content: start.body,
    editorProps: {
      attributes: { role: 'textbox', 'aria-multiline': 'true', 'aria-label': t('content'), lang: locale },
    },
    onUpdate: () => draft.changed(),
    onBlur: () => void draft.saver.flush(),
  });
  take.current = (files, position) => uploads.take(editor, files, position);
  const read = (): SavedText => ({
    ...entered.current,
    ...{ body: cleanContent(editor.getJSON()), baseVersion: base.current },
  });
  const draft = useDraft({
    text,
    start,
    read,
    show: (merged) => {
      show(merged);
      toast.info(t('otherWindow.merged'));
    },
    onConflict: setWindows,
  });
  onFlush(draft.saver.flush);
  const others = useEditors(documentId, locale, { version: text.version, editors: text.editors });

  function enter(change: Partial<typeof fields>) {
    entered.current = { ...entered.current, ...change };
    setFields(entered.current);
    draft.changed();
  }

  function show({ title, description, body, baseVersion }: SavedText) {
    entered.current = { title, description };
    setFields(entered.current);
    showContent(editor, body);
    base.current = baseVersion;
  }

  /** Shows a text that is on the server. */
  function load(next: { title: string; description: string; body: DocumentContent; version: number }) {
    show({ ...next, baseVersion: next.version });
    setVersion(next.version);
    setFrom('published');
    draft.published();
  }

  function published(answer: SaveResult, mine: SavedText) {
    setDialog(null);
    if (answer.state === 'conflict') {
      setConflict({ mine, theirs: answer });
      return;
    }
    setConflict(null);
    load(answer);
    toast.success(t(answer.state === 'merged' ? 'publish.merged' : 'publish.done', { version: answer.version }));
    setGiven(answer.files);
    void refresh('readDocument', 'listDocuments', 'listVersions', 'readText');
  }

  return (
    <div className={css.editor} data-beside={beside ? '' : undefined}>
      <LeaveDraft saver={draft.saver} unsaved={draft.state.changes !== 'none'} />
      <div className={css.bar}>
        <DraftLine state={draft.state} version={version} onRetry={draft.retry} />
        <div className="field-row">
          {actions}
          {version > 0 && <Button onClick={() => setDialog('versions')}>{t('versions.open')}</Button>}
          <Button type="primary" onClick={() => setDialog('publish')}>
            {t('publish.open')}
          </Button>
        </div>
      </div>
      <Notes
        editors={others.editors}
        newer={others.version > base.current ? others.version : null}
        from={from}
        given={given}
        draftAt={start.at}
        onDiscard={() => setDialog('discard')}
      />
      <div className={css.columns}>
        <section className={css.paper} aria-label={t('text')}>
          <Input.TextArea
            className={css.title}
            variant="borderless"
            value={fields.title}
            maxLength={200}
            lang={locale}
            autoSize={{ minRows: 1, maxRows: 4 }}
            placeholder={t('title')}
            aria-label={t('title')}
            onChange={({ target }) => enter({ title: lineOf(target.value) })}
          />
          <Input.TextArea
            className={css.description}
            variant="borderless"
            value={fields.description}
            maxLength={1_000}
            lang={locale}
            autoSize={{ minRows: 1, maxRows: 5 }}
            placeholder={t('description')}
            aria-label={t('description')}
            onChange={({ target }) => enter({ description: linesOf(target.value) })}
          />
          <Toolbar editor={editor}>
            <FileButton onFiles={(files) => uploads.take(editor, files)} />
          </Toolbar>
          <Uploads running={uploads.running} />
          <EditorContent editor={editor} className={`${blocks.text} ${nodes.content} ${css.content}`} />
        </section>
        {beside}
      </div>
      {dialog === 'publish' && (
        <PublishDialog
          text={text}
          compared={compared}
          entered={read()}
          read={() => ({ ...read(), replaces: draft.replaces() })}
          before={() => draft.saver.flush()}
          onAnswer={(answer) => published(answer, read())}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'discard' && (
        <Confirm
          title={t('discard.title')}
          ok={t('discard.ok')}
          danger
          run={async () => {
            const params = { id: documentId, locale };
            await draft.saver.flush();
            await call('discardDraft', { params }, { quiet: true });
            load(await call('readText', { params }, { quiet: true }));
          }}
          onDone={() => setDialog(null)}
          onClose={() => setDialog(null)}
        >
          <p>{t('discard.text')}</p>
        </Confirm>
      )}
      {dialog === 'versions' && (
        <VersionsDialog
          documentId={documentId}
          locale={locale}
          onRestored={(restored, files) => {
            // A draft is kept: its changes are merged with the restored text.
            if (draft.state.changes === 'none' && !restored.draft) load(restored);
            toast.success(t('versions.done', { version: restored.version }));
            setGiven(files);
            void refresh('readDocument', 'listDocuments', 'listVersions');
          }}
          onClose={() => setDialog(null)}
        />
      )}
      {conflict && (
        <ConflictDialog
          documentId={documentId}
          locale={locale}
          mine={conflict.mine}
          theirs={conflict.theirs}
          save={async (combined) => {
            const answer = await call(
              'saveText',
              { params: { id: documentId, locale }, body: { ...combined, replaces: draft.replaces() } },
              { quiet: true },
            );
            published(answer, combined);
          }}
          onDone={() => undefined}
          onClose={() => setConflict(null)}
        />
      )}
      {windows && (
        <WindowsDialog
          documentId={documentId}
          locale={locale}
          conflict={windows}
          onCombined={(combined) => {
            show(combined);
            draft.resolved(windows.theirs);
            setWindows(null);
          }}
          onClose={() => setWindows(null)}
        />
      )}
    </div>
  );
}
