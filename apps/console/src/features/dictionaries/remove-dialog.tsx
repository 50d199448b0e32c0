import type { DictionaryRow } from '@chargehand/contract';
import type { Dictionary } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { call } from '../../shared/api/client.ts';
import { queryOf } from '../../shared/api/query.ts';
import { Confirm } from '../../shared/ui/dialogs/confirm.tsx';
import { toast } from '../../shared/ui/dialogs/toast.ts';
import { SkeletonRows } from '../../shared/ui/states/skeleton-rows.tsx';
import { refreshDictionaries } from './refresh-dictionaries.ts';

interface Props {
  dictionary: Dictionary;
  row: DictionaryRow;
  onClose(): void;
}

/** Returns an entry to its default, or removes one of the installation that is not used. */
export function RemoveDialog({ dictionary, row: { code, byDefault, change }, onClose }: Props) {
  const { t } = useTranslation('dictionary');
  const uses = useQuery({
    ...queryOf('readDictionaryUses', { params: { dictionary }, query: { code } }),
    enabled: byDefault === null,
  });
  const used = uses.data?.items ?? [];
  const word = byDefault ? 'reset' : 'remove';
  return (
    <Confirm
      title={t(`${word}Title`, { code })}
      ok={t(word)}
      danger={byDefault === null}
      ready={byDefault !== null || (uses.data !== undefined && used.length === 0)}
      run={() => call('removeDictionaryEntry', { params: { dictionary }, query: { code, change } }, { quiet: true })}
      onDone={() => {
        toast.success(t(`${word}Done`, { code }));
        onClose();
        void refreshDictionaries();
      }}
      onClose={onClose}
    >
      {byDefault && <p>{t('resetText', { en: byDefault.nameEn, zh: byDefault.nameZh })}</p>}
      {!byDefault && uses.isPending && <SkeletonRows rows={1} />}
      {!byDefault && uses.data && used.length === 0 && <p>{t('removeText')}</p>}
      {used.length > 0 && (
        <>
          <p>{t('removeUsed')}</p>
          <ul>
            {used.map(({ kind, count }) => (
              <li key={kind}>
                {kind === 'alarms' ? (
                  <Link to={`/manage/device/alarms?${new URLSearchParams({ state: 'all', code })}`}>
                    {t('uses.alarms', { count })}
                  </Link>
                ) : (
                  t(`uses.${kind}`, { count })
                )}
              </li>
            ))}
          </ul>
        </>
      )}
    </Confirm>
  );
}
