import type { Country, Locale } from '@chargehand/contract';
import { useQuery } from '@tanstack/react-query';
import { queryOf } from '../../../../shared/api/query.ts';
import { useLocale } from '../../../../shared/i18n/use-locale.ts';

/** A region as a cascader option: with its name in the user's language, found by the names in both. */
export interface RegionOption {
  value: string;
  label: string;
  /** both names, in lower case */
  words: string;
  /** the installation turned it off */
  off: boolean;
  children?: RegionOption[];
}

type Named = Pick<Country, 'code' | 'en' | 'zh' | 'off'>;

/** Countries with their provinces and cities, fetched once when necessary. */
export function useRegions(wanted: boolean) {
  const locale = useLocale();
  return useQuery({
    ...queryOf('listRegions', {}),
    enabled: wanted,
    staleTime: Number.POSITIVE_INFINITY,
    select: (countries) => optionsOf(countries, locale),
  });
}

/** The regions as options, sorted for the user's language. */
function optionsOf(countries: readonly Country[], locale: Locale): RegionOption[] {
  const order = new Intl.Collator(locale);
  const option = (region: Named, children: RegionOption[]): RegionOption => ({
    value: region.code,
    label: locale === 'zh-CN' ? region.zh : region.en,
    words: `${region.en} ${region.zh}`.toLowerCase(),
    off: region.off ?? false,
    ...(children.length > 0 && { children }),
  });
  const sorted = (options: RegionOption[]) => options.toSorted((a, b) => order.compare(a.label, b.label));
  return sorted(
    countries.map((country) =>
      option(
        country,
        sorted(
          country.provinces.map((province) =>
            option(province, sorted(province.cities.map((city) => option(city, [])))),
          ),
        ),
      ),
    ),
  );
}

/** The codes of a place as a cascader value, from country to city. */
export function pathOf(place: { country: string | null; province: string | null; city: string | null }): string[] {
  return [place.country, place.province, place.city].filter((code) => code !== null);
}

/** The value of a cascader as the fields of a place. */
export function fieldsOf(path: readonly string[]): Record<'country' | 'province' | 'city', string | null> {
  return { country: path[0] ?? null, province: path[1] ?? null, city: path[2] ?? null };
}
