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
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import type { ObjectStore, Place } from '../../platform/objects/store.ts';
import type { OpenParameters } from './open-parameters.ts';
import { lockParameters, unusedLogos } from './parameters.store.ts';

/** Only the server writes to it. Logos stay while a change in the history has them, so that it can be undone. */
const FOLDER = 'public/branding/';
const LOGO_PATH = '/api/unauth/branding/logo/';
const TYPES = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' } as const;
/** The type in a data URL has no effect: the content decides. */
const DATA_URL = /^data:image\/(?:png|jpeg|webp);base64,([A-Za-z0-9+/]+={0,2})$/;

export type BrandingService = ReturnType<typeof brandingService>;

/** How the installation presents itself: what everybody can read, and the values that root enters. */
export function brandingService({
  db,
  parameters,
  store,
}: {
  db: Kysely<Database>;
  parameters: Pick<OpenParameters, 'branding' | 'get'>;
  store: ObjectStore;
}) {
  const at = (name: string): Place => ({ bucket: store.buckets.main, key: FOLDER + name });

  /** A logo with the name that is made from its content. @throws {Problem} brandingLogo */
  function logoOf(value: string): { name: string; bytes: Buffer; type: string } {
    const bytes = Buffer.from(DATA_URL.exec(value)?.[1] ?? '', 'base64');
    const format = logoFormat(bytes);
    if (format === null) {
      throw new Problem('brandingLogo', { field: 'value', values: { limit: formatSize(LOGO_BYTES) } });
    }
    const name = `${createHash('sha256').update(bytes).digest('hex')}.${format}`;
    return { name, bytes, type: TYPES[format] };
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

    /** Stores the logo of an entered value, in a transaction in which no other one changes parameters. */
    async keep(key: BrandingKey, value: number | string): Promise<void> {
      if (brandingParameter(key).kind !== 'logo') return;
      const { name, bytes, type } = logoOf(String(value));
      await store.put(at(name), bytes, { contentType: type });
    },

    /** Logos that neither the branding nor its history has, such as those of changes that were not saved. */
    unused: {
      prefix: FOLDER,
      /** Removes those of the objects that were stored before a time. Returns their number. */
      async remove(keys: readonly string[], before: Date): Promise<number> {
        return await db.transaction().execute(async (trx) => {
          // The same logo may be entered again now. Its change is then before or after this.
          await lockParameters(trx);
          const names = keys.map((key) => key.slice(FOLDER.length));
          let count = 0;
          for (const name of await unusedLogos(trx, names)) {
            const found = await store.head(at(name));
            if (!found || found.modifiedAt >= before) continue;
            await store.remove(at(name));
            count += 1;
          }
          return count;
        });
      },
    },

    /** An entered value as it is stored. @throws {Problem} branding… */
    entered(key: BrandingKey, value: number | string, locale: Locale): string {
      const { kind, label, most = 0 } = brandingParameter(key);
      if (kind === 'logo') return logoOf(String(value)).name;
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
