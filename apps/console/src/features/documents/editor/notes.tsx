import type { EditedText, GivenFiles } from '@chargehand/contract';
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
  /** what the last publication did to the files in the text */
  given: GivenFiles | null;
  onDiscard(): void;
}

/**
 * What the author should know: others who edit, newer versions, that this is their unpublished draft, and to whom they
 * gave files.
 */
export function Notes({ editors, newer, from, draftAt, given, onDiscard }: Props) {
  const { t } = useTranslation('editor');
  const locale = useLocale();
  const { user } = useUser();
  const others = editors.filter(({ userId }) => userId !== user.id);
  const list = (names: string[]) => new Intl.ListFormat(locale, { type: 'conjunction' }).format(names);
  const names = list(others.map(({ userName }) => userName));
  return (
    <div className={`stack ${css.notes}`} role="status">
      {others.length > 0 && <p className="warning-note">{t('others.editing', { names, count: others.length })}</p>}
      {others.length < editors.length && <p className="warning-note">{t('otherWindow.open')}</p>}
      {newer !== null && <p className="warning-note">{t('others.newer', { version: newer })}</p>}
      {given && given.opened.length > 0 && <p>{t('publish.opened', { names: list(given.opened) })}</p>}
      {given && given.withheld > 0 && (
        <p className="warning-note">{t('publish.withheld', { count: given.withheld })}</p>
      )}
      {given && given.ended > 0 && <p>{t('publish.ended', { count: given.ended })}</p>}
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
