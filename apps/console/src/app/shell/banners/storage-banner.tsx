import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { readStorageProblems } from '../../../shared/api/readiness.ts';
import './storage-banner.css';

/** Interval of the check. Milliseconds. */
const EVERY_MS = 15_000;

/** Shows administrators on every page why the server cannot store data, until it can again. */
export default function StorageBanner() {
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
