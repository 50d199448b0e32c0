import { cleanContent, type DocumentContent, ISSUE_TEXT_BYTES } from '@chargehand/domain';
import { EditorContent, useEditor } from '@tiptap/react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { i18n } from '../../../shared/i18n/i18n.ts';
import content from '../../../shared/ui/content/text.module.css';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { editorExtensions } from '../../../shared/ui/editor/editor-extensions.ts';
import nodes from '../../../shared/ui/editor/editor-text.module.css';
import { ACCEPTED_IN_ISSUES } from '../../../shared/ui/editor/files/file-node.ts';
import { takeFiles } from '../../../shared/ui/editor/files/take-files.ts';
import { FileButton, Uploads } from '../../../shared/ui/editor/files/uploads.tsx';
import { useUploads } from '../../../shared/ui/editor/files/use-uploads.ts';
import { Toolbar } from '../../../shared/ui/editor/toolbar.tsx';
import type { IssueReaders } from '../shared/issue-readers.ts';
import { issueMentions } from './find-issue-mentions.ts';
import { LibraryButton } from './library-button.tsx';
import css from './rich-text.module.css';

export interface RichTextProps {
  /** the issue of the text; null: not created yet */
  issueId: number | null;
  /** who can see a new issue; null: not chosen yet */
  readers?: IssueReaders | null;
  /** the accessible name */
  label: string;
  placeholder: string;
  /** the text at the beginning; a later value is not shown */
  initial: DocumentContent;
  /** the id of the message that says what is wrong with the text */
  errorId?: string | undefined;
  /** puts the cursor into the text */
  focused?: boolean;
  onChange(text: DocumentContent): void;
  /** files are being uploaded, which the text does not contain yet */
  onUploading(uploading: boolean): void;
}

/** The editor of documents, for the description of an issue and for comments. */
export default function RichText(props: RichTextProps) {
  const { issueId, label, initial, errorId, focused = false } = props;
  const { t } = useTranslation('editor');
  const readers: IssueReaders | null = issueId === null ? (props.readers ?? null) : { kind: 'issue', id: issueId };
  const now = useRef({ ...props, readers, t });
  now.current = { ...props, readers, t };
  const uploads = useUploads(issueId === null ? { draft: true } : { issueId });
  const take = useRef<(files: File[], position?: number | number[]) => void>(() => undefined);
  const [extensions] = useState(() => [
    ...editorExtensions({
      placeholder: () => now.current.placeholder,
      blockLabel: (name) => now.current.t(`block.${name}`),
      refused: () => toast.error(i18n.t('issue:text.tooLong')),
      find: issueMentions(() => now.current.readers),
      bytes: ISSUE_TEXT_BYTES,
    }),
    takeFiles({
      take: (files, position) => take.current(files, position),
      leftOut: (count) => toast.info(now.current.t('files.leftOut', { count })),
    }),
  ]);
  const editor = useEditor({
    extensions,
    content: initial,
    autofocus: focused ? 'end' : false,
    editorProps: {
      attributes: {
        ...{ role: 'textbox', 'aria-multiline': 'true', 'aria-label': label },
        ...(errorId !== undefined && { 'aria-invalid': 'true', 'aria-describedby': errorId }),
      },
    },
    onUpdate: ({ editor: changed }) => now.current.onChange(cleanContent(changed.getJSON())),
  });
  take.current = (files, position) => uploads.take(editor, files, position);
  const uploading = uploads.running.length > 0;
  useEffect(() => now.current.onUploading(uploading), [uploading]);
  useEffect(() => {
    if (errorId !== undefined) editor.commands.focus();
  }, [editor, errorId]);
  return (
    <div className={css.frame} data-invalid={errorId !== undefined || undefined}>
      <Toolbar editor={editor}>
        <FileButton accept={ACCEPTED_IN_ISSUES} onFiles={(files) => uploads.take(editor, files)} />
        <LibraryButton editor={editor} />
      </Toolbar>
      <Uploads running={uploads.running} />
      <EditorContent editor={editor} className={`${content.text} ${nodes.content} ${css.text}`} />
    </div>
  );
}
