import type { LinkRow } from '@chargehand/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { ApiProblem } from '../../../shared/api/problem.ts';
import { queryOf } from '../../../shared/api/query.ts';
import { saveFile } from '../../../shared/lib/files/save-file.ts';
import { ErrorNote } from '../../../shared/ui/states/error-note.tsx';
import { Copyable } from '../../../shared/ui/values/copyable.tsx';
import { ExactTime } from '../../../shared/ui/values/time-ago.tsx';
import css from './vpn.module.css';
import { zipOf } from './zip.ts';

const UNPACK = [
  ['unix', 'unzip FOLDER.zip && cd FOLDER'],
  ['windows', 'tar -xf FOLDER.zip; cd FOLDER'],
] as const;
const COMMANDS = [
  ['ssh', 'ssh -F config root@device'],
  ['local', 'ssh -F config -N -L 8080:127.0.0.1:80 root@device'],
  ['socks', 'ssh -F config -N -D 1080 root@device'],
  ['copy', 'scp -F config root@device:/var/log/messages .'],
] as const;

/** The use of an open VPN link from the user's own computer. */
export function VpnAccess({ link }: { link: LinkRow }) {
  const { t } = useTranslation('links');
  const { id, own } = link;
  const folder = `chargehand-${id}`;
  const get = useMutation({
    mutationFn: () => call('openLinkAccess', { params: { id }, body: {} }, { quiet: true }),
    onSuccess: (answer) =>
      saveFile(
        zipOf(answer.files.map((file) => ({ ...file, path: `${answer.folder}/${file.name}` }))),
        `${answer.folder}.zip`,
      ),
  });
  return (
    <>
      {own && (
        <section className={css.access} aria-label={t('vpn.title')}>
          <div>
            <Button type="primary" loading={get.isPending} onClick={() => get.mutate()}>
              {t('vpn.get')}
            </Button>
          </div>
          <ErrorNote text={get.error instanceof ApiProblem ? get.error.message : undefined} />
          <p>{t('vpn.text')}</p>
          {get.isSuccess && <p>{t('vpn.saved', { folder })}</p>}
          <dl>
            {UNPACK.map(([name, command]) => (
              <div key={name}>
                <dt>{t(`vpn.unpack.${name}`)}</dt>
                <dd>
                  <Copyable text={command.replaceAll('FOLDER', folder)} />
                </dd>
              </div>
            ))}
            {COMMANDS.map(([name, command]) => (
              <div key={name}>
                <dt>{t(`vpn.commands.${name}`)}</dt>
                <dd>
                  <Copyable text={command} />
                </dd>
              </div>
            ))}
          </dl>
          <p>{t('vpn.limits')}</p>
          <p>{t('vpn.keyNote')}</p>
        </section>
      )}
      <Connections id={id} />
    </>
  );
}

function Connections({ id }: { id: number }) {
  const { t } = useTranslation('links');
  const query = queryOf('listLinkActivity', { params: { id }, query: { kind: 'connection' } }, { quiet: true });
  const { data } = useQuery(query);
  const open = data?.items.filter(({ endedAt }) => endedAt === null) ?? [];
  return (
    <section aria-label={t('vpn.connections')}>
      <h3>{t('vpn.connections')}</h3>
      {open.length === 0 ? (
        <p>{t('vpn.none')}</p>
      ) : (
        <ul className={css.connections}>
          {open.map(({ number, text, startedAt }) => (
            <li key={number}>
              <span className="mono">{text}</span> <ExactTime at={startedAt} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
