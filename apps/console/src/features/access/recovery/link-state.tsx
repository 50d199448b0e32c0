import { useTranslation } from 'react-i18next';
import { ApiProblem } from '../../../shared/api/problem.ts';
import { LoginNotice } from '../login-notice.tsx';
import { problemText } from '../problem-text.ts';

/** True when the server says that a link has expired or was used. */
export function isExpired(error: unknown): boolean {
  return error instanceof ApiProblem && error.field === 'token';
}

/** Shown while a link is checked, or when the check failed. */
export function LinkState({ query }: { query: { error: unknown; refetch(): unknown } }) {
  const { t } = useTranslation('recovery');
  const { t: common } = useTranslation();
  if (!query.error) {
    return (
      <p className="login-text" aria-busy="true">
        <span className="plain-spinner" aria-hidden="true" /> {t('checking')}
      </p>
    );
  }
  return (
    <LoginNotice tone="error" text={problemText(query.error)}>
      <button type="button" className="login-link" onClick={() => query.refetch()}>
        {common('error.retry')}
      </button>
    </LoginNotice>
  );
}
