import { StyleProvider } from '@ant-design/cssinjs';
import { EllipsisOutlined } from '@ant-design/icons';
import type { Locale } from '@chargehand/contract';
import { ConfigProvider, type ConfigProviderProps } from 'antd';
import type { Locale as AntdLocale } from 'antd/es/locale';
import enUS from 'antd/es/locale/en_US';
import zhCN from 'antd/es/locale/zh_CN';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useBranding } from '../../branding/branding.ts';
import { useLocale } from '../../i18n/use-locale.ts';
import { antdTheme } from '../../theme/antd-theme.ts';
import { useTheme } from '../../theme/theme.ts';
import { EmptyState } from '../states/empty-state.tsx';

const LOCALES: Record<Locale, AntdLocale> = {
  'en-US': enUS,
  'zh-CN': zhCN,
};

/** What all components of a kind have. Stylesheets select them by these classes, never by those of Ant Design. */
const COMPONENTS: Partial<ConfigProviderProps> = {
  button: { autoInsertSpace: false },
  cascader: { className: 'select-field cascade-field' },
  datePicker: { className: 'date-field' },
  // Optional fields say so.
  form: { className: 'form', requiredMark: false },
  inputNumber: { className: 'number-field' },
  modal: { classNames: { title: 'dialog-title', footer: 'dialog-footer' } },
  select: { className: 'select-field' },
};

/** Ant Design in the language and theme of the console. */
export function AntdProvider({ children }: { children: ReactNode }) {
  const locale = useLocale();
  const theme = useTheme();
  const { t } = useTranslation();
  const { color } = useBranding();
  // biome-ignore lint/correctness/useExhaustiveDependencies: it reads the colors of the page, which the branding changes
  const config = useMemo(() => antdTheme(theme), [theme, color]);
  return (
    // In the body, behind all stylesheets: base.css has the order of the layers.
    <StyleProvider layer container={document.body}>
      <ConfigProvider
        locale={LOCALES[locale]}
        theme={config}
        renderEmpty={() => <EmptyState text={t('empty')} />}
        // Tabs that a narrow window has no room for.
        tabs={{ more: { icon: <EllipsisOutlined aria-label={t('moreTabs')} /> } }}
        {...COMPONENTS}
      >
        {children}
      </ConfigProvider>
    </StyleProvider>
  );
}
