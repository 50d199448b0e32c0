import type { Locale } from '@chargehand/contract';
import { LOCALES } from '@chargehand/contract/constants';
import { Segmented } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../shared/i18n/use-locale.ts';
import { PrivacyFrame } from '../../shared/ui/page/privacy-frame.tsx';

interface Props {
  contentEn: string;
  contentZh: string;
  onClose(): void;
}

/** A preview of the policy dialog, in either language. */
export function Preview({ contentEn, contentZh, onClose }: Props) {
  const { t } = useTranslation('privacy');
  const { t: common } = useTranslation();
  const [shown, setShown] = useState<Locale>(useLocale());
  return (
    <PrivacyFrame
      text={shown === 'zh-CN' ? contentZh : contentEn}
      onClose={onClose}
      footer={
        <Segmented
          aria-label={t('language')}
          value={shown}
          options={LOCALES.map((value) => ({ value, label: <span lang={value}>{common(`language.${value}`)}</span> }))}
          onChange={setShown}
        />
      }
    />
  );
}
