import type { Fields } from '@chargehand/contract/resource';
import type { ReactNode } from 'react';
import { useNames } from '../../i18n/use-names.ts';

/** A field with its value, as `Describe` shows it. */
interface Fact {
  key: string;
  label: string;
  value: ReactNode;
}

/** The texts and days of a row for `Describe`, by the names of their fields. The caller puts them in order. */
export function useFacts<const F extends Fields>(fields: F, row: { readonly [K in keyof F]?: unknown }) {
  const { nameOf } = useNames();
  const facts = Object.entries(fields).flatMap(([name, field]): [string, Fact][] => {
    if (field.kind !== 'text' && field.kind !== 'lines' && field.kind !== 'day') return [];
    return [[name, { key: name, label: nameOf(field), value: row[name as keyof F] as string | null }]];
  });
  return Object.fromEntries(facts) as { [K in Plain<F>]: Fact } & Record<string, Fact>;
}

type Plain<F extends Fields> = keyof {
  [K in keyof F as F[K]['kind'] extends 'text' | 'lines' | 'day' ? K : never]: K;
};
