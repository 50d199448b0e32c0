import type { Locale } from '@chargehand/contract';
import { ConfigProvider, Empty } from 'antd';
import type { Locale as AntdLocale } from 'antd/es/locale';
import enUS from 'antd/es/locale/en_US';
import zhCN from 'antd/es/locale/zh_CN';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../i18n/use-locale.ts';
import { antdTheme } from '../../theme/antd-theme.ts';
import { useTheme } from '../../theme/theme.ts';

const LOCALES: Record<Locale, AntdLocale> = {
  'en-US': enUS,
  'zh-CN': zhCN,
};

/** Ant Design in the language and theme of the console. */
export function AntdProvider({ children }: { children: ReactNode }) {
  const locale = useLocale();
  const theme = useTheme();
  const { t } = useTranslation();
  const config = useMemo(() => antdTheme(theme), [theme]);
  return (
    <ConfigProvider
      locale={LOCALES[locale]}
      theme={config}
      button={{ autoInsertSpace: false }}
      renderEmpty={() => <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={t('empty')} />}
    >
      {children}
    </ConfigProvider>
  );
}
