import type { MessageTemplate } from '@chargehand/contract';
import { LOCALES, type Locale } from '@chargehand/contract/constants';
import { MESSAGE_CHANNELS, type MessageChannel } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { Button, Segmented } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../shared/api/query.ts';
import { useLocale } from '../../../shared/i18n/use-locale.ts';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import css from './channels.module.css';
import { TemplateDialog } from './template-dialog.tsx';

/** The texts of messages of each type, by channel and language. */
export function TemplatesTab() {
  const { t } = useTranslation('channels');
  const { t: messages } = useTranslation('messages');
  const [channel, setChannel] = useState<MessageChannel>('email');
  const [locale, setLocale] = useState<Locale>(useLocale());
  const [edited, setEdited] = useState<MessageTemplate | null>(null);
  const templates = useQuery(queryOf('listTemplates', {}, { quiet: true }));
  if (templates.isLoadingError) return <ErrorState error={templates.error} onRetry={() => void templates.refetch()} />;
  if (!templates.data) return <SkeletonRows rows={10} />;
  const shown = templates.data.items.filter((one) => one.channel === channel && one.locale === locale);
  return (
    <div className="stack">
      <div className={css.choices}>
        <Segmented<MessageChannel>
          aria-label={t('channel')}
          value={channel}
          options={MESSAGE_CHANNELS.map((value) => ({ value, label: t(`channels.${value}`) }))}
          onChange={setChannel}
        />
        <Segmented<Locale>
          aria-label={t('language')}
          value={locale}
          options={LOCALES.map((value) => ({ value, label: t(`languages.${value}`) }))}
          onChange={setLocale}
        />
      </div>
      <ul className={`plain-list ${css.templates}`} aria-label={t('templates')}>
        {shown.map((template) => (
          <li key={template.type}>
            <div>
              <strong>{messages(`types.${template.type}`)}</strong>{' '}
              {template.changed && <span className={css.changed}>{t('template.changed')}</span>}
              <div>{template.subject}</div>
              <pre className="quiet">{template.body}</pre>
            </div>
            <Button
              size="small"
              aria-label={t('template.editOf', { type: messages(`types.${template.type}`) })}
              onClick={() => setEdited(template)}
            >
              {t('edit')}
            </Button>
          </li>
        ))}
      </ul>
      {edited && (
        <TemplateDialog template={edited} placeholders={templates.data.placeholders} onClose={() => setEdited(null)} />
      )}
    </div>
  );
}
