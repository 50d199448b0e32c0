import type { MessageTemplate } from '@chargehand/contract';
import type { TemplatePlaceholder } from '@chargehand/domain';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Button, Form, Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { ApiProblem } from '../../../shared/api/problem.ts';
import { queryOf, refresh } from '../../../shared/api/query.ts';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { useGuardedClose } from '../../../shared/ui/dialogs/leave-guard.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { ErrorNote } from '../../../shared/ui/states/error-note.tsx';
import { ExactTime } from '../../../shared/ui/values/time-ago.tsx';
import css from './channels.module.css';

/** Changes the text of a type of message, with a preview from the latest event of the type. */
export function TemplateDialog(props: {
  template: MessageTemplate;
  placeholders: readonly TemplatePlaceholder[];
  onClose(): void;
}) {
  const { template, placeholders, onClose } = props;
  const { type, channel, locale } = template;
  const { t } = useTranslation('channels');
  const { t: common } = useTranslation();
  const { t: messages } = useTranslation('messages');
  const [subject, setSubject] = useState(template.subject);
  const [body, setBody] = useState(template.body);
  /** the text that the preview shows: fields are previewed when they are left */
  const [previewed, setPreviewed] = useState({ subject, body });
  const key = { type, channel, locale };
  const preview = useQuery({
    ...queryOf('previewTemplate', { body: { ...key, ...previewed } }, { quiet: true }),
    placeholderData: keepPreviousData,
    enabled: previewed.body.trim() !== '',
  });
  const done = (text: string) => {
    toast.success(text);
    void refresh('listTemplates');
    onClose();
  };
  const name = messages(`types.${type}`);
  const save = useMutation({
    mutationFn: () => call('saveTemplate', { body: { ...key, subject, body } }, { quiet: true }),
    onSuccess: () => done(t('template.saved', { type: name })),
  });
  const reset = useMutation({
    mutationFn: () => call('resetTemplate', { query: key }, { quiet: true }),
    onSuccess: () => done(t('template.wasReset', { type: name })),
  });
  const dirty = subject !== template.subject || body !== template.body;
  const busy = save.isPending || reset.isPending;
  const { close, guard } = useGuardedClose(dirty && !busy && !save.isSuccess && !reset.isSuccess, onClose);
  const error = save.error ?? reset.error;
  const refreshPreview = () => setPreviewed({ subject, body });
  return (
    <Dialog
      title={t('template.title', { type: name, channel: t(`channels.${channel}`), language: t(`languages.${locale}`) })}
      okText={common('save')}
      cancelText={common('cancel')}
      okButtonProps={{ disabled: !dirty || body.trim() === '' }}
      pending={busy}
      onOk={() => save.mutate()}
      onCancel={close}
      width={640}
    >
      {guard}
      <Form className="form" layout="vertical" component="div">
        <Form.Item label={t('subject')} htmlFor="template-subject">
          <Input
            id="template-subject"
            maxLength={200}
            value={subject}
            onChange={({ target }) => setSubject(target.value)}
            onBlur={refreshPreview}
          />
        </Form.Item>
        <Form.Item label={t('template.body')} htmlFor="template-body">
          <Input.TextArea
            id="template-body"
            rows={6}
            maxLength={2_000}
            value={body}
            onChange={({ target }) => setBody(target.value)}
            onBlur={refreshPreview}
          />
        </Form.Item>
      </Form>
      <p className="quiet">{t('template.placeholders')}</p>
      <p className={css.choices}>
        {placeholders.map((one) => (
          <Button key={one} size="small" title={t(`placeholders.${one}`)} onClick={() => setBody(`${body}{${one}}`)}>
            <span className="mono">{`{${one}}`}</span>
          </Button>
        ))}
      </p>
      <section className={css.preview} aria-label={t('template.preview')}>
        <h3 className={css.heading}>{t('template.preview')}</h3>
        {preview.data && (
          <>
            <p className="quiet">
              {preview.data.eventAt === null ? (
                t('template.example')
              ) : (
                <>
                  {t('template.event')} <ExactTime at={preview.data.eventAt} />
                </>
              )}
            </p>
            <strong>{preview.data.subject}</strong>
            <pre>{preview.data.body}</pre>
          </>
        )}
        {preview.error instanceof ApiProblem && <ErrorNote text={preview.error.message} />}
      </section>
      {template.changed && (
        <Button loading={reset.isPending} onClick={() => reset.mutate()}>
          {t('template.reset')}
        </Button>
      )}
      <ErrorNote text={error instanceof ApiProblem ? error.message : null} />
    </Dialog>
  );
}
