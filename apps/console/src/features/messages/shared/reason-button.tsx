import { QuestionCircleOutlined } from '@ant-design/icons';
import type { MessageRow } from '@chargehand/contract';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { useMessageTitle } from './use-message-title.ts';

/** Explains why the user got a message. It names the message, because each row of a list has such a button. */
export function ReasonButton({ message, onClick }: { message: MessageRow; onClick(): void }) {
  const { t } = useTranslation('messages');
  const title = useMessageTitle()(message);
  return (
    <Button
      type="text"
      size="small"
      icon={<QuestionCircleOutlined aria-hidden="true" />}
      aria-label={t('why.doOf', { title })}
      title={t('why.do')}
      onClick={onClick}
    />
  );
}
