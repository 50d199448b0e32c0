import type { Locale } from '@chargehand/contract';
import { LOCALES } from '@chargehand/contract/constants';
import { useTranslation } from 'react-i18next';
import { useParams, useSearchParams } from 'react-router';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { ChooseDocument } from '../shared/choose-document.tsx';
import { documentPath } from '../shared/paths.ts';
import { Reader } from './reader.tsx';
import { useDocument } from './use-document.ts';

/** A document by its ID (`/detail/:id`). `?locale=` shows another language than the reader's. */
export default function ReaderPage() {
  const { t: routes } = useTranslation('routes');
  const { id } = useParams();
  if (id === undefined)
    return <ChooseDocument title={routes('docsDetail')} to={(document) => documentPath(document)} />;
  return <OneDocument key={id} id={Number(id)} />;
}

function OneDocument({ id }: { id: number }) {
  const { document, error, refetch } = useDocument({ id, locale: useWantedLocale() });
  if (document) return <Reader document={document} />;
  return (
    <div className="page">
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <SkeletonRows rows={10} />}
    </div>
  );
}

/** The language that the reader chose for this document, if any. */
export function useWantedLocale(): Locale | undefined {
  const [search] = useSearchParams();
  return LOCALES.find((locale) => locale === search.get('locale'));
}
