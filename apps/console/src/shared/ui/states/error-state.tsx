import { useTranslation } from 'react-i18next';
import { ApiProblem, isFinal } from '../../api/problem.ts';
import { PlainButton } from './plain-button.tsx';
import './states.css';

/** An error state in the place of the content: the reason, and a retry button where another try can succeed. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { t } = useTranslation();
  return (
    <div className="state state-error" role="alert">
      <svg
        width="30"
        height="28"
        viewBox="0 0 30 28"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.4"
        aria-hidden="true"
      >
        <path d="M15 2 28.5 26h-27z" strokeLinejoin="round" />
        <path d="M15 10v8M15 21v2" strokeLinecap="round" />
      </svg>
      <p>{error instanceof ApiProblem && error.message ? error.message : t('error.systemTitle')}</p>
      {onRetry && !isFinal(error) && <PlainButton onClick={onRetry}>{t('error.retry')}</PlainButton>}
    </div>
  );
}
