import type { ShareRow } from '@chargehand/contract';
import { Button, QRCode } from 'antd';
import { useTranslation } from 'react-i18next';
import { shareLink, shareText } from '../../lib/share-text.ts';
import { copyText } from '../values/copy-text.ts';
import { Copyable } from '../values/copyable.tsx';
import css from './share-link.module.css';

/** The link of a share with its code, for its creator: to copy, or to scan with a phone. */
export function ShareLink({ share }: { share: ShareRow }) {
  const { t } = useTranslation('shares');
  if (share.token === null) return <p className="quiet">{t('linkHidden')}</p>;
  const link = shareLink(share.token);
  const text = shareText(share.token, share.code);
  return (
    <div className={css.link}>
      {/* Cameras need dark on light in every theme. */}
      <QRCode type="svg" value={link} size={148} color="#000" bgColor="#fff" aria-label={t('qr')} />
      <div className={css.linkText}>
        <p>
          <Copyable text={link} />
        </p>
        {share.code !== null && (
          <p>
            {t('code')} <Copyable text={share.code} />
          </p>
        )}
        <Button type="primary" onClick={() => void copyText(text)}>
          {share.code === null ? t('copyLink') : t('copyBoth')}
        </Button>
        {share.code !== null && <p className="quiet">{t('sendApart')}</p>}
      </div>
    </div>
  );
}
