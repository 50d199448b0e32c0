import { FolderOpenOutlined } from '@ant-design/icons';
import type { Editor } from '@tiptap/core';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { LibraryDialog } from './library-dialog.tsx';

/** The button that inserts files of the attachment library into a text; nothing for users who may not list them. */
export function LibraryButton({ editor }: { editor: Editor }) {
  const { t } = useTranslation('issue-files');
  const lists = usePermitted(['auth_attach']);
  const [choosing, setChoosing] = useState(false);
  if (!lists) return null;
  return (
    <>
      <Button
        type="text"
        size="small"
        icon={<FolderOpenOutlined />}
        aria-label={t('library.do')}
        title={t('library.do')}
        onClick={() => setChoosing(true)}
      />
      {choosing && (
        <LibraryDialog
          onInsert={(nodes) => editor.chain().focus().insertContent(nodes).run()}
          onClose={() => setChoosing(false)}
        />
      )}
    </>
  );
}
