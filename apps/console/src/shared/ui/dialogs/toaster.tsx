import { useTranslation } from 'react-i18next';
import { useExternal } from '../../lib/external.ts';
import { shownToast, toast } from './toast.ts';
import './toaster.css';

/** Shows the current message, also to screen readers. */
export function Toaster() {
  const shown = useExternal(shownToast);
  const { t } = useTranslation();
  return (
    <div className="toaster" role={shown?.tone === 'error' ? 'alert' : 'status'} aria-live="polite">
      {shown && (
        <div key={shown.id} className={`toast toast-${shown.tone}`}>
          <span>{shown.text}</span>
          <button type="button" aria-label={t('close')} onClick={toast.dismiss}>
            ×
          </button>
        </div>
      )}
    </div>
  );
}
