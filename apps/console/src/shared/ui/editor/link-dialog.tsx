import { LINK_LENGTH, safeLink } from '@chargehand/domain';
import type { Editor } from '@tiptap/core';
import { Form, Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../dialogs/dialog.tsx';

/** Sets or removes the link of the selected text. */
export function LinkDialog({ editor, onClose }: { editor: Editor; onClose(): void }) {
  const { t } = useTranslation('editor');
  const { t: common } = useTranslation();
  const [entered, setEntered] = useState(() => String(editor.getAttributes('link').href ?? ''));
  const link = safeLink(completed(entered.trim()));
  const linked = editor.isActive('link');
  const empty = entered.trim() === '';
  const wrong = !empty && link === null;
  const tooLong = entered.trim().length > LINK_LENGTH;
  function apply() {
    if (wrong || (empty && !linked)) return;
    onClose();
    const chain = editor.chain().focus().extendMarkRange('link');
    if (link === null) chain.unsetLink().run();
    else if (editor.state.selection.empty && !linked) {
      chain
        .insertContent({ type: 'text', text: entered.trim(), marks: [{ type: 'link', attrs: { href: link } }] })
        .run();
    } else chain.setLink({ href: link }).run();
  }
  return (
    <Dialog
      title={t('link.title')}
      okText={t(empty && linked ? 'link.remove' : 'link.set')}
      cancelText={common('cancel')}
      okButtonProps={{ disabled: wrong || (empty && !linked) }}
      onOk={apply}
      onCancel={onClose}
      width={460}
    >
      <Form layout="vertical" onFinish={apply}>
        <Form.Item
          label={t('link.address')}
          htmlFor="link-address"
          help={wrong ? t(tooLong ? 'link.tooLong' : 'link.wrong', { limit: LINK_LENGTH }) : t('link.hint')}
          validateStatus={wrong ? 'error' : ''}
        >
          <Input
            id="link-address"
            value={entered}
            onChange={(event) => setEntered(event.target.value)}
            inputMode="url"
          />
        </Form.Item>
      </Form>
    </Dialog>
  );
}

/** `example.org` means the web site. */
function completed(entered: string): string {
  return /^[\w-]+(\.[\w-]+)+([/?#]|$)/.test(entered) ? `https://${entered}` : entered;
}
