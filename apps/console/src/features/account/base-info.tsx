import type { Account } from '@chargehand/contract';
import { Button, Form, Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { refresh } from '../../shared/api/query.ts';
import { useSave } from '../../shared/hooks/use-save.ts';
import { useRoleName } from '../../shared/i18n/use-role-name.ts';
import { session } from '../../shared/session/session.ts';
import { useUser } from '../../shared/session/use-user.ts';
import { LeaveGuard } from '../../shared/ui/dialogs/leave-guard.tsx';
import { toast } from '../../shared/ui/dialogs/toast.ts';
import { ErrorNote } from '../../shared/ui/states/error-note.tsx';
import { Describe } from '../../shared/ui/values/describe.tsx';
import { ExactTime } from '../../shared/ui/values/time-ago.tsx';
import { AvatarField } from './avatar-field.tsx';

interface Values {
  nickName: string;
  contact: string;
}

/** The fixed data of the account, and the fields that the user may change. */
export function BaseInfo({ account }: { account: Account }) {
  const { t } = useTranslation('account');
  const { user } = useUser();
  const roleNameOf = useRoleName();
  const own = user.readOnly
    ? [
        { key: 'nickName', label: t('base.nickName'), value: account.nickName },
        { key: 'contact', label: t('base.contact'), value: account.contact },
      ]
    : [];
  return (
    <>
      <Describe
        items={[
          { key: 'userName', label: t('base.userName'), value: account.userName },
          ...own,
          { key: 'customer', label: t('base.customer'), value: account.customerName },
          { key: 'role', label: t('base.role'), value: account.root ? t('base.root') : roleNameOf(account.roleName) },
          { key: 'sees', label: t('base.sees'), value: useReach(account) },
          { key: 'createdAt', label: t('base.createdAt'), value: <ExactTime at={account.createdAt} /> },
        ]}
      />
      {!user.readOnly && <AvatarField />}
      {!user.readOnly && <OwnFields account={account} />}
    </>
  );
}

/** A description of what the role allows the user to see. */
function useReach({ root, customerAccess, siteAccess }: Account): string {
  const { t } = useTranslation('account');
  if (root) return t('base.seesAll');
  return `${t(`customerAccess.${(customerAccess ?? 1) as 0}`)} · ${t(`siteAccess.${(siteAccess ?? 1) as 0}`)}`;
}

function OwnFields({ account }: { account: Account }) {
  const { t } = useTranslation('account');
  const [form] = Form.useForm<Values>();
  const [dirty, setDirty] = useState(false);
  const { save, problem } = useSave<Values, null>(
    form,
    (values) => call('updateAccount', { body: values }, { quiet: true }),
    () => {
      setDirty(false);
      toast.success(t('base.saved'));
      updateShell(form.getFieldValue('nickName').trim());
      void refresh('readAccount');
    },
  );
  return (
    <Form<Values>
      form={form}
      layout="vertical"
      initialValues={{ nickName: account.nickName, contact: account.contact }}
      onValuesChange={() => setDirty(true)}
      onFinish={(values) => save.mutate(values)}
      aria-label={t('base.title')}
    >
      <LeaveGuard active={dirty} />
      <Form.Item name="nickName" label={t('base.nickName')}>
        <Input maxLength={64} autoComplete="nickname" />
      </Form.Item>
      <Form.Item name="contact" label={t('base.contact')}>
        <Input maxLength={100} autoComplete="tel" />
      </Form.Item>
      <ErrorNote text={problem} />
      <Button htmlType="submit" loading={save.isPending}>
        {t('save')}
      </Button>
    </Form>
  );
}

/** Updates the name in the header immediately. */
function updateShell(nickName: string): void {
  const now = session.get();
  if (now.status !== 'signedIn') return;
  const user = { ...now.user, nickName };
  session.set({ ...now, user, info: { ...now.info, user } });
}
