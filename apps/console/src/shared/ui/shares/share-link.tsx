import type { ShareRow } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';
import { shareLink, shareText } from '../../lib/share-text.ts';
import { Copyable } from '../values/copyable.tsx';
import { LinkCode } from './link-code.tsx';

/** The link of a share with its code, for its creator: to copy, or to scan with a phone. */
export function ShareLink({ share: { token, code } }: { share: ShareRow }) {
  const { t } = useTranslation('shares');
  if (token === null) return <p className="quiet">{t('linkHidden')}</p>;
  return (
    <LinkCode
      link={shareLink(token)}
      qr={t('qr')}
      copy={code === null ? t('copyLink') : t('copyBoth')}
      text={shareText(token, code)}
      hint={code !== null && <p className="quiet">{t('sendApart')}</p>}
    >
      {code !== null && (
        <p>
          {t('code')} <Copyable text={code} />
        </p>
      )}
    </LinkCode>
  );
}
