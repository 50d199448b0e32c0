import type { Locale } from '@chargehand/contract';
import type { DocumentType } from '@chargehand/domain';

/** The page of a document; `anchor` is a heading in it, `locale` a language other than the reader's. */
export function documentPath(id: number, { anchor, locale }: { anchor?: string | null; locale?: Locale } = {}): string {
  const query = locale === undefined ? '' : `?locale=${locale}`;
  return `/manage/docs/detail/${id}${query}${anchor ? `#${encodeURIComponent(anchor)}` : ''}`;
}

/** A code or key, and the device model that it belongs to. */
export interface Explained {
  type: DocumentType;
  code: string;
  deviceModelId?: number | undefined;
}

/** The page of the document that explains a code or key. */
export function codePath({ type, code, deviceModelId }: Explained): string {
  return `/manage/docs/detail/type/${type}?${queryOf({ code, deviceModelId })}`;
}

/** The form of a new document, filled in for a code or key, or for a category. */
export function addPath(given: Partial<Explained> & { categoryId?: number | undefined } = {}): string {
  const query = queryOf(given);
  return query === '' ? '/manage/docs/add' : `/manage/docs/add?${query}`;
}

export function propertiesPath(id: number): string {
  return `/manage/docs/props/${id}`;
}

export function editPath(id: number): string {
  return `/manage/docs/update/props/${id}`;
}

/** The editor of one language. */
export function contentPath({ id, categoryId }: { id: number; categoryId: number }, locale: Locale): string {
  return `/manage/docs/update/content/${categoryId}/${id}?locale=${locale}`;
}

export function searchPath(text: string): string {
  return text === '' ? '/manage/docs/search' : `/manage/docs/search?${queryOf({ q: text })}`;
}

/** The search of a text as it was entered, without the correction of typing errors. */
export function exactPath(text: string): string {
  return `/manage/docs/search?${queryOf({ q: text, exact: 1 })}`;
}

function queryOf(values: Record<string, string | number | undefined>): string {
  const given = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return new URLSearchParams(given).toString();
}
