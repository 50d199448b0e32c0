import { createHash } from 'node:crypto';
import type { Branding, Locale } from '@chargehand/contract';
import {
  type BrandingKey,
  brandingFault,
  brandingParameter,
  enteredBranding,
  formatSize,
  LOGO_BYTES,
  logoFormat,
} from '@chargehand/domain';
import { notFound, Problem } from '../../platform/http/problem.ts';
import type { ObjectStore, Place } from '../../platform/objects/store.ts';
import type { OpenParameters } from './open-parameters.ts';

/** Only the server writes to it. Logos stay, so that a change can be undone. */
const FOLDER = 'public/branding/';
const LOGO_PATH = '/api/unauth/branding/logo/';
const TYPES = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' } as const;
/** The type in a data URL has no effect: the content decides. */
const DATA_URL = /^data:image\/(?:png|jpeg|webp);base64,([A-Za-z0-9+/]+={0,2})$/;

export type BrandingService = ReturnType<typeof brandingService>;

/** How the installation presents itself: what everybody can read, and the values that root enters. */
export function brandingService({
  parameters,
  store,
}: {
  parameters: Pick<OpenParameters, 'branding' | 'get'>;
  store: ObjectStore;
}) {
  const at = (name: string): Place => ({ bucket: store.buckets.main, key: FOLDER + name });

  /** Stores a logo under a name that is made from its content. */
  async function storeLogo(value: string): Promise<string> {
    const bytes = Buffer.from(DATA_URL.exec(value)?.[1] ?? '', 'base64');
    const format = logoFormat(bytes);
    if (format === null) {
      throw new Problem('brandingLogo', { field: 'value', values: { limit: formatSize(LOGO_BYTES) } });
    }
    const name = `${createHash('sha256').update(bytes).digest('hex')}.${format}`;
    await store.put(at(name), bytes, { contentType: TYPES[format] });
    return name;
  }

  return {
    read(): Branding {
      const values = parameters.branding();
      return {
        ...{ nameEn: values.productNameEn, nameZh: values.productNameZh },
        logo: values.productLogo === '' ? '' : LOGO_PATH + values.productLogo,
        color: values.primaryColor,
        ...{ signInTextEn: values.signInTextEn, signInTextZh: values.signInTextZh },
        passwordLength: parameters.get('passwordLength'),
      };
    },

    /** The name of the product in a language. */
    name(locale: Locale): string {
      const { productNameEn, productNameZh } = parameters.branding();
      return locale === 'zh-CN' ? productNameZh : productNameEn;
    },

    /** The bytes of a logo. @throws {Problem} notFound */
    async logo(name: string): Promise<{ bytes: Buffer; type: string }> {
      const found = brandingFault('productLogo', name) === null ? await store.read(at(name)) : null;
      if (!found) throw notFound('attachment');
      const format = name.slice(name.lastIndexOf('.') + 1) as keyof typeof TYPES;
      return { bytes: Buffer.concat(await found.body.toArray()), type: TYPES[format] };
    },

    /** An entered value as it is stored. @throws {Problem} branding… */
    async entered(key: BrandingKey, value: number | string, locale: Locale): Promise<string> {
      const { kind, label, most = 0 } = brandingParameter(key);
      if (kind === 'logo') return await storeLogo(String(value));
      const text = enteredBranding(key, String(value));
      const fault = brandingFault(key, text);
      if (fault === null) return text;
      const codes = {
        empty: 'brandingText',
        length: 'brandingText',
        characters: 'brandingCharacters',
        color: 'brandingColor',
        contrast: 'brandingContrast',
        logo: 'brandingLogo',
      } as const;
      const name = locale === 'zh-CN' ? label.zh : label.en;
      throw new Problem(codes[fault], { field: 'value', values: { name, most } });
    },
  };
}
