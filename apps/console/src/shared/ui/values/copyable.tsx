import { useTranslation } from 'react-i18next';
import { copyText } from './copy-text.ts';
import '../page/page.css';

/** A text with a copy button: SN, message id, address. */
export function Copyable({ text, mono = true }: { text: string; mono?: boolean }) {
  const { t } = useTranslation();
  return (
    <span className="copyable">
      <span className={mono ? 'mono' : undefined}>{text}</span>
      <button type="button" aria-label={t('copy', { text })} title={t('copyHint')} onClick={() => void copyText(text)}>
        <svg width="12" height="12" viewBox="0 0 12 12" fill="none" stroke="currentColor" aria-hidden="true">
          <rect x="1.5" y="3.5" width="7" height="7" rx="1" />
          <path d="M4 3.5v-2h6.5v6.5h-2" />
        </svg>
      </button>
    </span>
  );
}
