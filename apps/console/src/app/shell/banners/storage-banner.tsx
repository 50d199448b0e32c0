import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { readStorageProblems } from '../../../shared/api/readiness.ts';
import './storage-banner.css';

/** How often the server is asked. Milliseconds. */
const EVERY_MS = 15_000;

/** Tells administrators on every page what keeps the server from storing, until it is over. */
export function StorageBanner() {
  const { i18n } = useTranslation();
  const { data = [] } = useQuery({
    queryKey: ['readiness', i18n.language],
    queryFn: readStorageProblems,
    refetchInterval: EVERY_MS,
    retry: false,
  });
  return data.map(({ message, blocks }) => (
    <p key={message} className="storage-banner" data-blocks={blocks} role={blocks ? 'alert' : 'status'}>
      {message}
    </p>
  ));
}
