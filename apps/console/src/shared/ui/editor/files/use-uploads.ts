import { contentPurpose, EDITOR_FILES, FILE_RULES, formatSize } from '@chargehand/domain';
import type { Editor } from '@tiptap/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/client.ts';
import { ApiProblem } from '../../../api/problem.ts';
import { UploadProblem, upload } from '../../../storage/upload.ts';
import { toast } from '../../dialogs/toast.ts';
import { nodeOf } from './file-node.ts';

/** A file that is being uploaded. */
export interface RunningUpload {
  id: string;
  name: string;
  /** from 0 to 1 */
  part: number;
  cancel(): void;
}

/** What uses the files. Without either they can be read by their author until they are linked. */
interface FileOwner {
  documentId?: number;
  issueId?: number;
  /** for the form of a new issue */
  draft?: true;
}

/** Uploads files into a text and inserts them where they were pasted, dropped or chosen. */
export function useUploads(owner: FileOwner): {
  running: RunningUpload[];
  /** At most five files at once (spec §9). `position`: where, for all or for each; default: the selection. */
  take(editor: Editor, files: readonly File[], position?: number | readonly number[]): void;
} {
  const { t } = useTranslation('files');
  const { t: words } = useTranslation('editor');
  // Logs and tables are evidence.
  const isOfIssue = owner.issueId !== undefined || owner.draft === true;
  const [running, setRunning] = useState<RunningUpload[]>([]);
  const left = useRef(new AbortController());
  useEffect(() => {
    left.current = new AbortController();
    return () => left.current.abort();
  }, []);

  async function one(editor: Editor, file: File, place: number): Promise<void> {
    const id = crypto.randomUUID();
    const cancel = new AbortController();
    const signal = AbortSignal.any([cancel.signal, left.current.signal]);
    // The place moves while the author goes on writing.
    let position = place;
    const follow = ({ transaction }: { transaction: { mapping: { map(position: number): number } } }) => {
      position = transaction.mapping.map(position);
    };
    editor.on('transaction', follow);
    setRunning((now) => [...now, { id, name: file.name, part: 0, cancel: () => cancel.abort() }]);
    const shown = contentPurpose(file.name);
    const purpose = shown === 'file' && isOfIssue ? 'attachment' : shown;
    try {
      const onProgress = (part: number) =>
        setRunning((now) => now.map((entry) => (entry.id === id ? { ...entry, part } : entry)));
      const key = await upload(file, {
        folder: shown === 'image' ? 'images' : 'document',
        purpose,
        signal,
        onProgress,
      });
      const body = { key, name: file.name, ...owner };
      const stored = await call('registerAttachment', { body }, { quiet: true });
      const node = await nodeOf(file, stored.id);
      if (signal.aborted || editor.isDestroyed) return;
      editor.chain().insertContentAt(Math.min(position, editor.state.doc.content.size), node).run();
    } catch (error) {
      if (signal.aborted) return;
      console.warn('An upload failed', error);
      const { endings, limit } = FILE_RULES[purpose];
      const fault = error instanceof UploadProblem ? error.fault : 'failed';
      const values = { name: file.name, types: endings.join(', '), limit: formatSize(limit) };
      toast.error(error instanceof ApiProblem ? `${file.name}: ${error.message}` : t(`fault.${fault}`, values));
    } finally {
      editor.off('transaction', follow);
      setRunning((now) => now.filter((entry) => entry.id !== id));
    }
  }

  return {
    running,
    take(editor, files, position = editor.state.selection.to) {
      if (files.length > EDITOR_FILES) {
        toast.error(words('files.tooMany', { limit: EDITOR_FILES }));
        return;
      }
      for (const [index, file] of files.entries()) {
        void one(editor, file, typeof position === 'number' ? position : position[index]!);
      }
    },
  };
}
