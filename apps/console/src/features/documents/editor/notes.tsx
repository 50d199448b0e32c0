import type { EditedText } from '@chargehand/contract';
import { formatTime } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../../shared/i18n/use-locale.ts';
import { useUser } from '../../../shared/session/use-user.ts';
import css from './editor.module.css';

interface Props {
  editors: EditedText['editors'];
  /** the version that was published since this text was opened */
  newer: number | null;
  from: 'published' | 'draft' | 'browser';
  draftAt: string | null;
  onDiscard(): void;
}

/** What the author should know: others who edit, newer versions, and that this is their unpublished draft. */
export function Notes({ editors, newer, from, draftAt, onDiscard }: Props) {
  const { t } = useTranslation('editor');
  const locale = useLocale();
  const { user } = useUser();
  const others = editors.filter(({ userId }) => userId !== user.id);
  const names = new Intl.ListFormat(locale, { type: 'conjunction' }).format(others.map(({ userName }) => userName));
  return (
    <div className={css.notes} role="status">
      {others.length > 0 && <p className="warning-note">{t('others.editing', { names, count: others.length })}</p>}
      {others.length < editors.length && <p className="warning-note">{t('otherWindow.open')}</p>}
      {newer !== null && <p className="warning-note">{t('others.newer', { version: newer })}</p>}
      {from !== 'published' && (
        <p className="warning-note">
          {t(from === 'draft' ? 'draft.opened' : 'draft.recovered', { at: formatTime(draftAt!).slice(0, 16) })}{' '}
          <button type="button" className="text-button" onClick={onDiscard}>
            {t('discard.open')}
          </button>
        </p>
      )}
    </div>
  );
}
