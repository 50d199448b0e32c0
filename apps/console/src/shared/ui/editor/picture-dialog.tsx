import type { Editor } from '@tiptap/core';
import { Form, Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../dialogs/dialog.tsx';

/** Longest alternative text that the server stores. */
const ALT_LENGTH = 500;

/** Describes the selected picture for readers who cannot see it. */
export function PictureDialog({ editor, onClose }: { editor: Editor; onClose(): void }) {
  const { t } = useTranslation('editor');
  const { t: common } = useTranslation();
  const [entered, setEntered] = useState(() => String(editor.getAttributes('image').alt ?? ''));
  function apply() {
    onClose();
    editor.chain().focus().updateAttributes('image', { alt: entered.trim() }).run();
  }
  return (
    <Dialog
      title={t('picture.alt')}
      okText={t('picture.ok')}
      cancelText={common('cancel')}
      onOk={apply}
      onCancel={onClose}
      width={460}
    >
      <Form layout="vertical" onFinish={apply}>
        <Form.Item label={t('picture.label')} htmlFor="picture-alt" help={t('picture.hint')}>
          <Input
            id="picture-alt"
            value={entered}
            maxLength={ALT_LENGTH}
            onChange={(event) => setEntered(event.target.value)}
          />
        </Form.Item>
      </Form>
    </Dialog>
  );
}
