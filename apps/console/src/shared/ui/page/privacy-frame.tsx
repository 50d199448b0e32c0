import { Modal } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import './privacy-frame.css';

interface Props {
  text: string;
  footer: ReactNode;
  /** closes it; omitted: only the footer does */
  onClose?: () => void;
}

/** The dialog of the privacy policy, also used as preview. */
export function PrivacyFrame({ text, footer, onClose }: Props) {
  const { t } = useTranslation('access');
  return (
    <Modal
      open
      centered
      closable={onClose !== undefined}
      keyboard={onClose !== undefined}
      mask={{ closable: false }}
      width={640}
      title={t('privacy.title')}
      footer={footer}
      {...(onClose && { onCancel: onClose })}
    >
      {/* The text scrolls, so it must be focusable for the keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable (WCAG 2.1.1) */}
      <section className="privacy-text" tabIndex={0} aria-label={t('privacy.title')}>
        {text}
      </section>
    </Modal>
  );
}
