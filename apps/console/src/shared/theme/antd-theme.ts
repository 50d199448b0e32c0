import { theme as antd, type MappingAlgorithm, type ThemeConfig } from 'antd';
import type { Theme } from './theme.ts';

type Color = (token: string) => string;

/**
 * The Ant Design theme, derived from tokens.css, so that pages with and without the component library look alike. Its
 * color algorithm needs concrete colors, which the browser computes here from the tokens of the current theme.
 */
export function antdTheme(theme: Theme): ThemeConfig {
  const probe = document.createElement('span');
  probe.style.colorScheme = theme;
  document.body.append(probe);
  try {
    return themeOf(theme, (token) => {
      probe.style.color = `var(--${token})`;
      return getComputedStyle(probe).color;
    });
  } finally {
    probe.remove();
  }
}

function themeOf(theme: Theme, color: Color): ThemeConfig {
  return {
    algorithm: [theme === 'dark' ? antd.darkAlgorithm : antd.defaultAlgorithm, exactColors(color)],
    hashed: false,
    token: {
      ...seeds(color),
      ...surfaces(color),
      borderRadius: 4,
      borderRadiusLG: 6,
      fontSize: 14,
      fontFamily: 'var(--font)',
      fontFamilyCode: 'var(--mono)',
      controlHeight: 32,
      controlOutline: 'transparent',
      lineWidthFocus: 2,
      motion: !matchMedia('(prefers-reduced-motion: reduce)').matches,
    },
    components: {
      Button: { primaryShadow: 'none', defaultShadow: 'none', dangerShadow: 'none', fontWeight: 500 },
      // Their outline is all that an empty one has: 3 to 1 against any surface.
      Checkbox: { colorBorder: color('ink-3') },
      Radio: { colorBorder: color('ink-3') },
      // The forms decide how far apart their fields are (base.css).
      Form: { itemMarginBottom: 0, verticalLabelPadding: '0 0 4px' },
      Modal: { titleFontSize: 16 },
      Switch: { handleBg: color('surface') },
      Tabs: {
        inkBarColor: color('mark'),
        itemSelectedColor: color('ink'),
        itemHoverColor: color('ink'),
        titleFontSize: 14,
        horizontalItemPadding: '8px 0',
        horizontalMargin: '0 0 12px 0',
      },
    },
  };
}

/** The input of the color algorithm. */
function seeds(color: Color) {
  return {
    colorPrimary: color('primary'),
    colorInfo: color('info'),
    colorSuccess: color('success'),
    colorWarning: color('warning'),
    colorError: color('error'),
    colorLink: color('link'),
    colorTextBase: color('ink'),
    colorBgBase: color('surface'),
    // the check mark in a filled checkbox
    colorWhite: color('on-primary'),
  };
}

/** The dark algorithm dims its input, but our tokens are meant exactly. */
function exactColors(color: Color): MappingAlgorithm {
  const exact = {
    colorPrimary: color('primary'),
    colorPrimaryHover: color('primary-hover'),
    colorPrimaryActive: color('primary'),
    // the focus ring
    colorPrimaryBorder: color('focus'),
    colorInfo: color('info'),
    colorSuccess: color('success'),
    colorWarning: color('warning'),
    colorError: color('error'),
    colorErrorHover: color('error'),
    colorLink: color('link'),
  };
  return (seed, map) => ({ ...(map ?? antd.defaultAlgorithm(seed)), ...exact });
}

/** Backgrounds, borders and text. */
function surfaces(color: Color) {
  return {
    colorText: color('ink'),
    colorTextSecondary: color('ink-2'),
    colorTextTertiary: color('ink-3'),
    colorTextDescription: color('ink-3'),
    colorTextPlaceholder: color('ink-3'),
    colorTextDisabled: color('ink-disabled'),
    colorTextLightSolid: color('on-primary'),
    colorLinkHover: color('ink'),
    linkHoverDecoration: 'underline',
    colorBgContainer: color('surface'),
    colorBgElevated: color('surface-raised'),
    colorBgLayout: color('paper'),
    colorBgSpotlight: color('primary'),
    colorBorder: color('line-strong'),
    colorBorderSecondary: color('line'),
    colorPrimaryBg: color('selected'),
    colorPrimaryBgHover: color('selected'),
    colorErrorBg: color('error-paper'),
    colorWarningBg: color('warning-paper'),
    colorSuccessBg: color('success-paper'),
    colorInfoBg: color('info-paper'),
    colorErrorBorder: color('error'),
    colorWarningBorder: color('warning'),
    colorSuccessBorder: color('success'),
    colorInfoBorder: color('info'),
    controlItemBgActive: color('selected'),
    controlItemBgActiveHover: color('selected'),
    controlItemBgHover: color('hover'),
  };
}
