import { WarningOutlined } from '@ant-design/icons';
import { Button, Modal } from 'antd';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { forgetSession } from '../../shared/session/account.ts';
import { AntdProvider } from '../../shared/ui/page/antd-provider.tsx';

/** The session ended unexpectedly. Confirming leads to the sign-in page (spec §4). */
export default function SessionEndDialog({ message }: { message: string }) {
  const { t } = useTranslation('access');
  const navigate = useNavigate();
  async function confirm() {
    await navigate('/login');
    forgetSession();
  }
  return (
    <AntdProvider>
      <Modal
        open
        centered
        closable={false}
        keyboard={false}
        mask={{ closable: false }}
        width={420}
        zIndex={1900}
        title={
          <>
            <WarningOutlined style={{ color: 'var(--warning)', marginInlineEnd: 8 }} />
            {t('sessionEnd.title')}
          </>
        }
        footer={
          <Button type="primary" autoFocus onClick={() => void confirm()}>
            {t('sessionEnd.confirm')}
          </Button>
        }
      >
        {message || t('sessionEnd.text')}
      </Modal>
    </AntdProvider>
  );
}
