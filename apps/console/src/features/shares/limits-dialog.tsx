import type { ShareRow } from '@chargehand/contract';
import { SHARE_DAYS, type ShareDays } from '@chargehand/domain';
import { Form, InputNumber, Radio } from 'antd';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { refresh } from '../../shared/api/query.ts';
import { useSave } from '../../shared/hooks/use-save.ts';
import { Dialog } from '../../shared/ui/dialogs/dialog.tsx';
import { toast } from '../../shared/ui/dialogs/toast.ts';
import { AccessField } from '../../shared/ui/shares/access-field.tsx';
import { bytesOf, mebibytesOf, SizeLimitField } from '../../shared/ui/shares/size-limit-field.tsx';
import { ErrorNote } from '../../shared/ui/states/error-note.tsx';

interface Values {
  /** -1: as it is, 0: permanent */
  days: ShareDays | 0 | -1;
  useLimit: number | null;
  /** of an issue */
  comments: boolean;
  /** of an upload request, in MB */
  byteLimit: number | null;
}

/** Changes until when and how often a share can be used. */
export function LimitsDialog({ share, onClose }: { share: ShareRow; onClose(): void }) {
  const { t } = useTranslation('shares');
  const { t: common } = useTranslation();
  const [form] = Form.useForm<Values>();
  const { useLimit, comments, byteLimit } = share;
  const initial: Values = { days: -1, useLimit, comments, byteLimit: mebibytesOf(byteLimit) };
  const { save, problem } = useSave(
    form,
    (values) => {
      const { days } = values;
      const validity = days === -1 ? {} : { days: days === 0 ? null : days };
      const size = share.kind === 'upload' ? { byteLimit: bytesOf(values.byteLimit ?? null) } : {};
      const uses = share.kind === 'issue' ? { comments: values.comments } : { useLimit: values.useLimit, ...size };
      return call('updateShare', { params: { id: share.id }, body: { ...validity, ...uses } }, { quiet: true });
    },
    () => {
      toast.success(t('changed'));
      void refresh('listShares', 'readShare');
      onClose();
    },
  );
  return (
    <Dialog
      title={t('changeTitle')}
      okText={common('save')}
      cancelText={common('cancel')}
      pending={save.isPending}
      onOk={form.submit}
      onCancel={onClose}
    >
      <Form
        form={form}
        className="form"
        layout="vertical"
        initialValues={initial}
        onFinish={(values) => save.mutate(values)}
      >
        <Form.Item name="days" label={t('validityFromNow')}>
          <Radio.Group
            options={[
              { value: -1, label: t('unchanged') },
              ...SHARE_DAYS.map((value) => ({ value, label: t('days', { count: value }) })),
              { value: 0, label: t('permanent') },
            ]}
          />
        </Form.Item>
        {share.kind === 'issue' ? (
          <AccessField />
        ) : (
          <Form.Item name="useLimit" label={share.kind === 'upload' ? t('fileLimit') : t('downloadLimit')}>
            <InputNumber min={1} max={10_000} precision={0} placeholder={t('unlimited')} />
          </Form.Item>
        )}
        {share.kind === 'upload' && <SizeLimitField />}
        <ErrorNote text={problem} />
      </Form>
    </Dialog>
  );
}
