/**
 * How an installation presents itself: names, logo, color and a text on the sign-in page. These are parameters, too, but
 * their values are texts (see `system-parameters.ts`). They are public, and nothing in them is code.
 */

import { contrast, LEAST_CONTRAST } from './brand-colors.ts';
import { isParameterKey, type ParameterKey, systemParameter } from './system-parameters.ts';

interface Text {
  en: string;
  zh: string;
}

/** The declaration of a part of the branding. */
export interface BrandingParameter {
  kind: 'text' | 'color' | 'logo';
  /** the maximum length of a text in characters */
  most?: number;
  /** empty: none */
  fallback: string;
  label: Text;
  help: Text;
}

const NAME_HELP: Text = {
  en: 'In the header, titles of browser tabs, the sign-in page, public pages, mails and authenticator apps. At most 40 characters.',
  zh: '用于页眉、浏览器标签页标题、登录页、公开页面、邮件和身份验证器应用，不超过 40 个字符。',
};
const TEXT_HELP: Text = {
  en: 'Below the sign-in form, such as whom to ask for an account. Everybody can read it. At most 300 characters.',
  zh: '显示在登录表单下方，例如账号申请方式。任何人都可以看到，不超过 300 个字符。',
};

export const BRANDING = {
  productNameEn: {
    ...{ kind: 'text', most: 40, fallback: 'Chargehand', help: NAME_HELP },
    label: { en: 'Product name (English)', zh: '产品名称（英文）' },
  },
  productNameZh: {
    ...{ kind: 'text', most: 40, fallback: 'Chargehand', help: NAME_HELP },
    label: { en: 'Product name (Chinese)', zh: '产品名称（中文）' },
  },
  productLogo: {
    ...{ kind: 'logo', fallback: '' },
    label: { en: 'Logo', zh: '标志' },
    help: {
      en: 'PNG, JPEG or WebP up to 64 KB, 16 to 1,024 pixels wide and high. Dark frames surround it.',
      zh: 'PNG、JPEG 或 WebP 图片，不超过 64 KB，宽高均为 16–1024 像素，显示在深色背景上。',
    },
  },
  primaryColor: {
    ...{ kind: 'color', fallback: '' },
    label: { en: 'Primary color', zh: '主色' },
    help: {
      en: 'The color of main buttons, such as #1d5fd0. The dark theme uses a lighter shade of it.',
      zh: '主要按钮的颜色，例如 #1d5fd0。深色主题会自动使用较浅的色调。',
    },
  },
  signInTextEn: {
    ...{ kind: 'text', most: 300, fallback: '', help: TEXT_HELP },
    label: { en: 'Sign-in text (English)', zh: '登录页说明（英文）' },
  },
  signInTextZh: {
    ...{ kind: 'text', most: 300, fallback: '', help: TEXT_HELP },
    label: { en: 'Sign-in text (Chinese)', zh: '登录页说明（中文）' },
  },
} as const satisfies Record<string, BrandingParameter>;

export type BrandingKey = keyof typeof BRANDING;
export type BrandingValues = Record<BrandingKey, string>;

/** Every part of the branding, in the order of the page. */
export const BRANDING_KEYS = Object.keys(BRANDING) as BrandingKey[];

/** What it is without a change. */
export const BRANDING_FALLBACKS = Object.fromEntries(
  BRANDING_KEYS.map((key) => [key, BRANDING[key].fallback]),
) as BrandingValues;

/** The declaration of a part of the branding, with its optional fields. */
export function brandingParameter(key: BrandingKey): BrandingParameter {
  return BRANDING[key];
}

export function isBrandingKey(text: string): text is BrandingKey {
  return Object.hasOwn(BRANDING, text);
}

/** The key of a number or of a part of the branding. */
export type SettingKey = ParameterKey | BrandingKey;

export function isSettingKey(text: string): text is SettingKey {
  return isParameterKey(text) || isBrandingKey(text);
}

/** The name of a parameter of either kind. */
export function settingLabel(key: SettingKey): Text {
  return isBrandingKey(key) ? brandingParameter(key).label : systemParameter(key).label;
}

/** Why a value is refused. */
export type BrandingFault = 'empty' | 'length' | 'characters' | 'color' | 'contrast' | 'logo';

/** Control characters, line separators, and characters that change the direction or are invisible. */
const REFUSED = /[\p{Cc}\p{Cs}\u2028\u2029\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;
const COLOR = /^#[0-9a-f]{6}$/;
/** The name of a stored logo: the hash of its content, and its format. */
const LOGO_NAME = /^[0-9a-f]{64}\.(png|jpg|webp)$/;

/** Why a part of the branding cannot have this stored value; null if it can. */
export function brandingFault(key: BrandingKey, value: string): BrandingFault | null {
  const { kind, most = 0 } = brandingParameter(key);
  if (kind === 'logo') return LOGO_NAME.test(value) ? null : 'logo';
  if (kind === 'color') {
    if (!COLOR.test(value)) return 'color';
    return contrast(value, '#ffffff') < LEAST_CONTRAST ? 'contrast' : null;
  }
  if (value.trim() === '') return 'empty';
  if ([...value].length > most) return 'length';
  return REFUSED.test(value) ? 'characters' : null;
}

/** An entered text as it is stored: without outer spaces; a color in lower case. */
export function enteredBranding(key: BrandingKey, value: string): string {
  return brandingParameter(key).kind === 'color' ? value.trim().toLowerCase() : value.trim();
}

/** The largest logo file in bytes. */
export const LOGO_BYTES = 64 * 1024;
const LOGO_PIXELS = { least: 16, most: 1_024 };

/** What a logo file is, by its content; null: not a PNG, JPEG or WebP image of an allowed size. */
export function logoFormat(bytes: Uint8Array): 'png' | 'jpg' | 'webp' | null {
  if (bytes.length > LOGO_BYTES) return null;
  const found = pngSize(bytes) ?? jpegSize(bytes) ?? webpSize(bytes);
  if (!found) return null;
  const fits = [found.width, found.height].every((side) => side >= LOGO_PIXELS.least && side <= LOGO_PIXELS.most);
  return fits ? found.format : null;
}

interface ImageSize {
  format: 'png' | 'jpg' | 'webp';
  width: number;
  height: number;
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const hasText = (bytes: Uint8Array, at: number, text: string) =>
  [...text].every((letter, index) => bytes[at + index] === letter.charCodeAt(0));

function pngSize(bytes: Uint8Array): ImageSize | null {
  if (bytes.length < 33 || !hasText(bytes, 0, '\x89PNG\r\n\x1a\n') || !hasText(bytes, 12, 'IHDR')) return null;
  const view = viewOf(bytes);
  return { format: 'png', width: view.getUint32(16), height: view.getUint32(20) };
}

function jpegSize(bytes: Uint8Array): ImageSize | null {
  if (!hasText(bytes, 0, '\xff\xd8\xff')) return null;
  const view = viewOf(bytes);
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { format: 'jpg', width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    at += 2 + view.getUint16(at + 2);
  }
  return null;
}

function webpSize(bytes: Uint8Array): ImageSize | null {
  if (bytes.length < 30 || !hasText(bytes, 0, 'RIFF') || !hasText(bytes, 8, 'WEBP')) return null;
  const view = viewOf(bytes);
  const of = (width: number, height: number): ImageSize => ({ format: 'webp', width, height });
  if (hasText(bytes, 12, 'VP8 ')) return of(view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff);
  if (hasText(bytes, 12, 'VP8L')) {
    const bits = view.getUint32(21, true);
    return of((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
  }
  if (!hasText(bytes, 12, 'VP8X')) return null;
  const size = (offset: number) => (view.getUint16(offset, true) | (view.getUint8(offset + 2) << 16)) + 1;
  return of(size(24), size(27));
}
