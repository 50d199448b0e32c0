import type { Locale, UserDetail } from '@chargehand/contract';
import { LOCALES } from '@chargehand/contract/constants';
import {
  CUSTOMER_ACCESS,
  isUserName,
  PRESETS_OF_ASSIGNED_SITES,
  passwordFault,
  type RolePreset,
  SITE_ACCESS,
} from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { Form, Input, InputNumber, Radio, Select } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { queryOf } from '../../../shared/api/query.ts';
import { useBranding } from '../../../shared/branding/branding.ts';
import { useLocale } from '../../../shared/i18n/use-locale.ts';
import { useRoleName } from '../../../shared/i18n/use-role-name.ts';
import { useUser } from '../../../shared/session/use-user.ts';
import { FormPanel } from '../../../shared/ui/form-page/form-panel.tsx';
import { CustomerPicker, SitesPicker } from '../../../shared/ui/list-page/pickers.tsx';
import { PictureField } from '../../../shared/ui/pictures/picture-field.tsx';
import { type RoleChoice, RoleField } from './role-field.tsx';

/** The form values of a user. */
export interface UserFields {
  userName: string;
  /** null: the user is invited by mail to choose one */
  password: string | null;
  /** the language of their mails */
  locale: Locale;
  nickName: string;
  avatar: string | null;
  email: string | null;
  contact: string;
  customerId: number;
  roleId?: number;
  /** instead of a role: the preset of one that is added with the user */
  rolePreset?: RolePreset;
  maxSites: number | null;
  siteIds: number[];
}

interface Values extends Omit<UserFields, 'password' | 'roleId' | 'rolePreset'> {
  way: 'password' | 'invitation';
  password: string;
  repeated: string;
  /** missing for the root account */
  roleId?: RoleChoice;
}

interface Props {
  user?: UserDetail;
  /** Saves the fields and returns the path to open afterwards. @throws ApiProblem */
  onSave(fields: UserFields): Promise<string>;
}

/** The form of a user. Errors of the server are shown at their fields. */
export function UserForm({ user, onSave }: Props) {
  const roleNameOf = useRoleName();
  const { t } = useTranslation('people');
  const { t: common } = useTranslation();
  const { passwordLength } = useBranding();
  const locale = useLocale();
  const id = useId();
  const { user: reader, info } = useUser();
  const { mailsDelivered } = info.settings;
  const [form] = Form.useForm<Values>();
  const [uploading, setUploading] = useState(false);
  const roles = useQuery(queryOf('listRoleChoices', {}));
  const customerId = Form.useWatch('customerId', form);
  const roleId = Form.useWatch('roleId', form);
  const { languageSwitch } = useUser().info.settings;
  const invites = Form.useWatch('way', form) === 'invitation';
  // The user's own email is changed on the account page, which requires the current password.
  const own = user?.id === reader.id;
  const role = roles.data?.items.find((one) => one.id === roleId);
  // Users with "assigned" scope get their customers first, on the data authorization page.
  const picksSites =
    !user &&
    (typeof roleId === 'string'
      ? PRESETS_OF_ASSIGNED_SITES.includes(roleId)
      : role?.siteAccess === SITE_ACCESS.assigned && role.customerAccess !== CUSTOMER_ACCESS.assigned);
  const needed = (label: string) => ({ required: true, message: t('form.required', { label }) });

  return (
    <FormPanel<Values>
      form={form}
      label={user ? t('edit') : t('user.add')}
      initialValues={initialValues(user, locale, mailsDelivered)}
      onSave={({ repeated: _, way, roleId, ...fields }) => {
        const password = way === 'invitation' ? null : fields.password;
        const role = typeof roleId === 'string' ? { rolePreset: roleId } : roleId === undefined ? {} : { roleId };
        return onSave({ ...fields, ...role, password, email: fields.email?.trim() || null });
      }}
      disabled={uploading || user?.may.edit === false}
    >
      {user ? (
        <Form.Item label={t('userName')} htmlFor={`${id}-name`} extra={t('form.userNameFixed')}>
          <Input id={`${id}-name`} value={user.userName} disabled />
        </Form.Item>
      ) : (
        <Form.Item
          name="userName"
          label={t('userName')}
          extra={t('form.userNameHint')}
          rules={[needed(t('userName')), check((text) => isUserName(text), t('form.userNameFormat'))]}
        >
          <Input maxLength={32} autoComplete="off" spellCheck={false} autoFocus />
        </Form.Item>
      )}
      <Form.Item name="nickName" label={t('nickName')}>
        <Input maxLength={64} autoComplete="off" placeholder={t('form.optional')} />
      </Form.Item>
      {!user && (
        <Form.Item name="way" label={t('first.way')} extra={invites ? t('first.byMailHint') : t('first.byHandHint')}>
          <Radio.Group
            options={[
              { value: 'password', label: t('first.byHand') },
              { value: 'invitation', label: t('first.byMail') },
            ]}
          />
        </Form.Item>
      )}
      {!user && invites && !mailsDelivered && (
        <p className="warning-note form-wide" role="status">
          {t('first.notSent')} {reader.root && <Link to="/manage/system/mails">{t('first.outbox')}</Link>}
        </p>
      )}
      {!user && !invites && (
        <>
          <Form.Item
            name="password"
            label={t('password')}
            extra={t('form.passwordHint', { least: passwordLength })}
            rules={[
              needed(t('password')),
              check((text) => passwordFault(text, passwordLength) !== 'weak', t('form.passwordWeak')),
              check(
                (text) => passwordFault(text, passwordLength) !== 'short',
                t('form.passwordShort', { least: passwordLength }),
              ),
            ]}
          >
            <Input.Password autoComplete="new-password" maxLength={64} />
          </Form.Item>
          <Form.Item
            name="repeated"
            label={t('repeated')}
            dependencies={['password']}
            rules={[
              needed(t('repeated')),
              check((text) => text === form.getFieldValue('password'), t('form.passwordsDiffer')),
            ]}
          >
            <Input.Password autoComplete="new-password" maxLength={64} />
          </Form.Item>
        </>
      )}
      <Form.Item name="customerId" label={t('customer')} rules={[needed(t('customer'))]}>
        <CustomerPicker
          placeholder={t('form.chooseCustomer')}
          knownAs={user?.customerName}
          clearable={false}
          // Sites of the former customer would be refused.
          onChange={() => form.setFieldValue('siteIds', [])}
        />
      </Form.Item>
      {!user?.root && (
        <Form.Item name="roleId" label={t('roleOf')} rules={[needed(t('roleOf'))]}>
          <RoleField
            placeholder={t('form.chooseRole')}
            knownAs={roleNameOf(user?.roleName ?? null) ?? undefined}
            clearable={false}
          />
        </Form.Item>
      )}
      <Form.Item
        name="email"
        label={t('email')}
        extra={own ? <Link to="/manage/my">{t('form.ownEmail')}</Link> : undefined}
        rules={[{ type: 'email', message: t('form.emailFormat') }, ...(invites ? [needed(t('email'))] : [])]}
      >
        <Input
          maxLength={254}
          autoComplete="off"
          disabled={own}
          placeholder={invites || own ? undefined : t('form.optional')}
        />
      </Form.Item>
      {!user && languageSwitch && (
        <Form.Item name="locale" label={t('first.locale')}>
          <Select options={LOCALES.map((value) => ({ value, label: common(`language.${value}`) }))} />
        </Form.Item>
      )}
      <Form.Item name="contact" label={t('contact')}>
        <Input maxLength={100} autoComplete="off" placeholder={t('form.optional')} />
      </Form.Item>
      <Form.Item name="maxSites" label={t('maxSites')} extra={t('form.maxSitesHint')}>
        <InputNumber min={0} max={100_000} precision={0} placeholder={t('form.noLimit')} />
      </Form.Item>
      {picksSites && (
        <Form.Item name="siteIds" label={t('sites')} extra={t('form.sitesHint')}>
          <SitesPicker
            placeholder={t('form.chooseSites')}
            customerId={customerId}
            onCustomer={(customer) => form.setFieldValue('customerId', customer)}
          />
        </Form.Item>
      )}
      <Form.Item name="avatar" label={t('avatar')} className="form-wide">
        <PictureField label={t('avatar')} onBusy={setUploading} />
      </Form.Item>
    </FormPanel>
  );
}

/** A domain rule as a form rule. Another rule handles the empty field. */
function check(holds: (text: string) => boolean, message: string) {
  return {
    validator: (_: unknown, text: string | undefined) =>
      !text || holds(text) ? Promise.resolve() : Promise.reject(new Error(message)),
  };
}

function initialValues(user: UserDetail | undefined, locale: Locale, invites: boolean): Partial<Values> {
  const empty = { nickName: '', avatar: null, contact: '', email: null, maxSites: null, siteIds: [] };
  if (!user) return { way: invites ? 'invitation' : 'password', locale, ...empty };
  const { nickName, avatar, contact, email, maxSites, customerId, roleId } = user;
  return { nickName, avatar, contact, email, maxSites, customerId, ...(roleId === null ? {} : { roleId }) };
}
