import type { TokenRow } from '@chargehand/contract';
import {
  isTokenValue,
  TOKEN_HOLDER_LENGTH,
  TOKEN_LENGTH,
  TOKEN_NOTE_LENGTH,
  TOKEN_TYPES,
  type TokenType,
} from '@chargehand/domain';
import { Form, Input, Select, Switch } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { refresh } from '../../shared/api/query.ts';
import { useSave } from '../../shared/hooks/use-save.ts';
import { instantOf, wallTimeOf } from '../../shared/lib/time/wall-time.ts';
import { DatePicker } from '../../shared/ui/date-picker.ts';
import { Dialog } from '../../shared/ui/dialogs/dialog.tsx';
import { useGuardedClose } from '../../shared/ui/dialogs/leave-guard.tsx';
import { toast } from '../../shared/ui/dialogs/toast.ts';
import { CustomerPicker, SitesPicker } from '../../shared/ui/list-page/pickers.tsx';
import { ErrorNote } from '../../shared/ui/states/error-note.tsx';

interface Values {
  customerId: number;
  tokenValue: string;
  tokenType: TokenType;
  tokenGroup: string;
  holder: string;
  tokenNote: string;
  validFrom: Dayjs | null;
  validUntil: Dayjs | null;
  blocked: boolean;
  concurrent: boolean;
  siteIds: number[];
}

/** Adds a token, or changes one. */
export function TokenDialog({ token, onClose }: { token: TokenRow | null; onClose(): void }) {
  const { t } = useTranslation('tokens');
  const { t: common } = useTranslation();
  const [form] = Form.useForm<Values>();
  const [edited, setEdited] = useState(false);
  const chosen = Form.useWatch('customerId', form) as number | undefined;
  const { save, problem } = useSave(
    form,
    async ({ customerId, tokenValue, tokenGroup, validFrom, validUntil, ...fields }) => {
      const body = {
        ...{ ...fields, tokenValue: tokenValue.trim(), tokenGroup: tokenGroup?.trim() || null },
        ...{ validFrom: timeOf(validFrom), validUntil: timeOf(validUntil) },
      };
      if (token === null) await call('createToken', { body: { ...body, customerId } }, { quiet: true });
      else {
        const { revision } = token;
        await call('updateToken', { params: { id: token.id }, body: { ...body, revision } }, { quiet: true });
      }
    },
    () => {
      toast.success(t(token === null ? 'added' : 'saved', { value: form.getFieldValue('tokenValue') as string }));
      void refresh('listTokens', 'listUnknownTokens', 'listDeviceTokenLists');
      onClose();
    },
  );
  const { close, guard } = useGuardedClose(edited && !save.isPending && !save.isSuccess, onClose);
  const valid = (message: string, empty: boolean) => ({
    validator: async (_: unknown, text: string | undefined) => {
      const value = text?.trim() ?? '';
      if (!(empty && value === '') && !isTokenValue(value)) throw new Error(message);
    },
  });
  return (
    <Dialog
      title={token === null ? t('addTitle') : t('editTitle', { value: token.value })}
      okText={common('save')}
      cancelText={common('cancel')}
      pending={save.isPending}
      onOk={form.submit}
      onCancel={close}
      width={560}
    >
      {guard}
      <Form<Values>
        form={form}
        className="form"
        layout="vertical"
        initialValues={initialOf(token)}
        onValuesChange={() => setEdited(true)}
        onFinish={(values) => save.mutate(values)}
      >
        {token === null && (
          <Form.Item name="customerId" label={t('customer')} rules={[{ required: true, message: t('need.customer') }]}>
            <CustomerPicker clearable={false} />
          </Form.Item>
        )}
        <Form.Item
          name="tokenValue"
          label={t('value')}
          extra={t('valueHint')}
          required
          rules={[valid(t('need.value'), false)]}
        >
          <Input className="mono" maxLength={TOKEN_LENGTH} autoComplete="off" spellCheck={false} />
        </Form.Item>
        <Form.Item name="tokenType" label={t('type')} extra={t('typeHint')}>
          <Select<TokenType> options={TOKEN_TYPES.map((value) => ({ value, label: t(`types.${value}`) }))} />
        </Form.Item>
        <Form.Item name="holder" label={t('holder')}>
          <Input maxLength={TOKEN_HOLDER_LENGTH} autoComplete="off" />
        </Form.Item>
        <Form.Item name="validFrom" label={t('validFrom')} extra={t('validFromHint')}>
          <DatePicker showTime={{ format: 'HH:mm' }} format="YYYY-MM-DD HH:mm" placeholder={t('always')} />
        </Form.Item>
        <Form.Item name="validUntil" label={t('validUntil')}>
          <DatePicker showTime={{ format: 'HH:mm' }} format="YYYY-MM-DD HH:mm" placeholder={t('always')} />
        </Form.Item>
        <Form.Item
          name="siteIds"
          label={t('sites')}
          extra={token && !token.allSites && token.sites.length === 0 ? t('noSitesHint') : undefined}
        >
          <SitesPicker
            placeholder={t('allSites')}
            customerId={token?.customerId ?? chosen}
            known={token?.sites ?? []}
          />
        </Form.Item>
        <Form.Item name="tokenGroup" label={t('group')} extra={t('groupHint')} rules={[valid(t('need.group'), true)]}>
          <Input className="mono" maxLength={TOKEN_LENGTH} autoComplete="off" spellCheck={false} />
        </Form.Item>
        <Form.Item name="concurrent" label={t('concurrent')} extra={t('concurrentHint')} valuePropName="checked">
          <Switch />
        </Form.Item>
        <Form.Item name="blocked" label={t('blocked')} extra={t('blockedHint')} valuePropName="checked">
          <Switch />
        </Form.Item>
        <Form.Item name="tokenNote" label={t('noteOf')}>
          <Input.TextArea maxLength={TOKEN_NOTE_LENGTH} autoSize={{ minRows: 2, maxRows: 6 }} />
        </Form.Item>
        <ErrorNote text={problem} />
      </Form>
    </Dialog>
  );
}

function initialOf(token: TokenRow | null): Partial<Values> {
  if (token === null)
    return { tokenType: 'ISO14443', siteIds: [], blocked: false, concurrent: false, holder: '', tokenNote: '' };
  const { value, type, group, holder, note, validFrom, validUntil, blockedAt, concurrent, sites } = token;
  return {
    ...{ tokenValue: value, tokenType: type, tokenGroup: group ?? '', holder, tokenNote: note, concurrent },
    ...{ validFrom: shown(validFrom), validUntil: shown(validUntil), blocked: blockedAt !== null },
    siteIds: sites.map(({ id }) => id),
  };
}

const shown = (at: string | null) => (at === null ? null : dayjs(wallTimeOf(Date.parse(at))));
const timeOf = (at: Dayjs | null) => (at ? new Date(instantOf(at.format('YYYY-MM-DDTHH:mm'))).toISOString() : null);
