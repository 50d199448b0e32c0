import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { Page } from '../../shared/ui/page/page-header.tsx';
import { ShareDialog, type ShareObject } from '../../shared/ui/shares/share-dialog.tsx';
import { SharesTab } from './shares-tab.tsx';

/**
 * The shares of the user. A link with `?new=file`, `folder` or `request`, the ID and the name of the object opens the
 * dialog for a new share.
 */
export default function ShareListPage() {
  const { t: routes } = useTranslation('routes');
  const [search, setSearch] = useSearchParams();
  const wanted = newShareIn(search);
  return (
    <Page title={routes('shares')}>
      <SharesTab />
      {wanted && (
        <ShareDialog object={wanted.object} upload={wanted.upload} onClose={() => setSearch({}, { replace: true })} />
      )}
    </Page>
  );
}

/** What the URL wants to share; null when it names nothing. */
function newShareIn(search: URLSearchParams): { object: ShareObject; upload: boolean } | null {
  const kind = search.get('new');
  const id = Number(search.get('id'));
  if (!Number.isInteger(id) || id < 1 || (kind !== 'file' && kind !== 'folder' && kind !== 'request')) return null;
  const object = {
    kind: kind === 'file' ? ('attachment' as const) : ('folder' as const),
    id,
    name: search.get('name') ?? '',
  };
  return { object, upload: kind === 'request' };
}
