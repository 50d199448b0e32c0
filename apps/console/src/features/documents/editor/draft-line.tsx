import { formatTime } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import type { DraftState } from './drafts/draft-saver.ts';

/** Where the text is at the moment: on the server, only here, or published. */
export function DraftLine({ state, version, onRetry }: { state: DraftState; version: number; onRetry(): void }) {
  const { t } = useTranslation('editor');
  const { t: common } = useTranslation();
  const at = state.savedAt && formatTime(state.savedAt).slice(11, 16);
  if (state.changes === 'failed') {
    return (
      <span className="error-note" role="alert">
        {at ? t('draft.failedSince', { reason: state.problem, at }) : t('draft.failed', { reason: state.problem })}{' '}
        <button type="button" className="text-button" onClick={onRetry}>
          {common('error.retry')}
        </button>
      </span>
    );
  }
  return (
    <span className="quiet" role="status">
      {state.changes === 'unsaved' && t('draft.unsaved')}
      {state.changes === 'saving' && t('draft.saving')}
      {state.changes === 'none' &&
        (at ? t('draft.savedAt', { at }) : version === 0 ? t('draft.new') : t('draft.published', { version }))}
    </span>
  );
}
