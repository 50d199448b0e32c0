import { passwordFault } from '@chargehand/domain';
import { Button, Form, Input } from 'antd';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { refresh } from '../../shared/api/query.ts';
import { useBranding } from '../../shared/branding/branding.ts';
import { useSave } from '../../shared/hooks/use-save.ts';
import { encryptFor } from '../../shared/lib/browser/encrypt.ts';
import { toast } from '../../shared/ui/dialogs/toast.ts';
import { ErrorNote } from '../../shared/ui/states/error-note.tsx';

interface Values {
  currentPassword: string;
  password: string;
  repeated: string;
}

/** Changes the password. Both are sent encrypted, and all other sessions of the account end. */
export function PasswordForm({ userName }: { userName: string }) {
  const { passwordLength } = useBranding();
  const { t } = useTranslation('account');
  const [form] = Form.useForm<Values>();
  const { save, problem } = useSave<Values, { ended: number }>(form, change, ({ ended }) => {
    form.resetFields();
    toast.success(ended > 0 ? t('password.changedAndEnded', { count: ended }) : t('password.changed'));
    void refresh('listOwnSessions');
  });
  const needed = (label: string) => ({ required: true, message: t('required', { label }) });
  return (
    <Form<Values>
      form={form}
      layout="vertical"
      onFinish={(values) => save.mutate(values)}
      aria-label={t('password.title')}
    >
      <input type="text" name="username" value={userName} autoComplete="username" readOnly hidden />
      <Form.Item name="currentPassword" label={t('password.current')} rules={[needed(t('password.current'))]}>
        <Input.Password autoComplete="current-password" maxLength={128} />
      </Form.Item>
      <Form.Item
        name="password"
        label={t('password.new')}
        extra={t('password.hint', { least: passwordLength })}
        rules={[
          needed(t('password.new')),
          check((text) => passwordFault(text, passwordLength) !== 'weak', t('password.weak')),
          check(
            (text) => passwordFault(text, passwordLength) !== 'short',
            t('password.short', { least: passwordLength }),
          ),
        ]}
      >
        <Input.Password autoComplete="new-password" maxLength={64} />
      </Form.Item>
      <Form.Item
        name="repeated"
        label={t('password.repeated')}
        dependencies={['password']}
        rules={[
          needed(t('password.repeated')),
          check((text) => text === form.getFieldValue('password'), t('password.differ')),
        ]}
      >
        <Input.Password autoComplete="new-password" maxLength={64} />
      </Form.Item>
      <ErrorNote text={problem} />
      <Button htmlType="submit" loading={save.isPending}>
        {t('password.change')}
      </Button>
      <p className="quiet">{t('password.note')}</p>
    </Form>
  );
}

async function change({ currentPassword, password }: Values): Promise<{ ended: number }> {
  const { publicKey } = await call('publicKey', {}, { quiet: true });
  const body = {
    currentPassword: await encryptFor(publicKey, currentPassword),
    password: await encryptFor(publicKey, password),
  };
  return await call('changePassword', { body }, { quiet: true });
}

/** A domain rule as a form rule. Another rule handles the empty field. */
function check(holds: (text: string) => boolean, message: string) {
  return {
    validator: (_: unknown, text: string | undefined) =>
      !text || holds(text) ? Promise.resolve() : Promise.reject(new Error(message)),
  };
}
