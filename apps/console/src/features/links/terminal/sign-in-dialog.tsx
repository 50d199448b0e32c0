import type { LinkRow } from '@chargehand/contract';
import { Form, Input } from 'antd';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { seal } from '../../../shared/api/seal.ts';
import { useSave } from '../../../shared/hooks/use-save.ts';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { ErrorNote } from '../../../shared/ui/states/error-note.tsx';
import { FIRST_SIZE } from './begin-terminal.ts';

interface Values {
  userName: string;
  password: string;
}

interface Props {
  link: LinkRow;
  /** of the terminal before */
  userName: string;
  /** why the key of the link could not be used */
  refused: string | null;
  onOpened(terminal: { key: string; id: number }, userName: string): void;
  onClose(): void;
}

/** Signs in to a device. User name and password are not stored. */
export function SignInDialog({ link, userName, refused, onOpened, onClose }: Props) {
  const { t } = useTranslation('links');
  const { t: common } = useTranslation();
  const [form] = Form.useForm<Values>();
  const { save, problem } = useSave(
    form,
    async (values) => {
      const body = { ...values, password: await seal(values.password), ...FIRST_SIZE };
      return await call('openTerminal', { params: { id: link.id }, body }, { quiet: true });
    },
    (terminal) => onOpened(terminal, form.getFieldValue('userName') as string),
  );
  return (
    <Dialog
      title={t('terminal.signIn', { name: link.device.name })}
      okText={t('terminal.open')}
      cancelText={common('cancel')}
      pending={save.isPending}
      onOk={() => form.submit()}
      onCancel={onClose}
      width={420}
    >
      <Form<Values>
        form={form}
        layout="vertical"
        initialValues={{ userName, password: '' }}
        onFinish={(values) => !save.isPending && save.mutate(values)}
      >
        <Form.Item
          name="userName"
          label={t('terminal.userName')}
          rules={[{ required: true, message: t('terminal.userNameRequired') }]}
        >
          <Input
            maxLength={64}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            onPressEnter={() => form.submit()}
          />
        </Form.Item>
        <Form.Item
          name="password"
          label={t('terminal.password')}
          rules={[{ required: true, message: t('terminal.passwordRequired') }]}
        >
          <Input.Password maxLength={256} autoComplete="new-password" onPressEnter={() => form.submit()} />
        </Form.Item>
        <Form.Item label={t('terminal.port')} htmlFor="terminal-port" extra={t('terminal.portNote')}>
          <Input id="terminal-port" value={link.port} readOnly />
        </Form.Item>
        <p className="quiet">{t('terminal.memory')}</p>
        <ErrorNote text={save.isIdle ? refused : problem} />
      </Form>
    </Dialog>
  );
}
