import { endpoints } from 'virtual:endpoints';
import type { DeviceFile, LinkTransfer } from '@chargehand/contract';
import { formatSize } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { Button, Input } from 'antd';
import { type DragEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addressOf } from '../../../shared/api/address.ts';
import { call } from '../../../shared/api/client.ts';
import { ApiProblem } from '../../../shared/api/problem.ts';
import { queryOf } from '../../../shared/api/query.ts';
import { useMedia } from '../../../shared/hooks/use-media.ts';
import { Confirm } from '../../../shared/ui/dialogs/confirm.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { Table } from '../../../shared/ui/table/table.tsx';
import { ExactTime } from '../../../shared/ui/values/time-ago.tsx';
import css from './files.module.css';
import { NameDialog } from './name-dialog.tsx';
import { TransferList } from './transfer-list.tsx';
import type { FilePlace } from './upload-file.ts';
import { useUploads } from './use-uploads.ts';

/** Progress of downloads, which the browser does not report to pages. */
const PROGRESS_MS = 1_000;

type Asked = { kind: 'folder' } | { kind: 'rename' | 'remove'; file: DeviceFile };

/** The files of a device, for the user of a terminal. Hidden, it goes on with its transfers. */
export default function FilesPanel({ hidden, ...place }: FilePlace & { hidden: boolean }) {
  const { linkId, terminalKey: key } = place;
  const { t } = useTranslation('links');
  const [wanted, setWanted] = useState<string | undefined>(undefined);
  const [entered, setEntered] = useState<string | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [over, setOver] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);
  const narrow = useMedia('(max-width: 760px)');
  const params = { id: linkId };
  const folder = useQuery({
    ...queryOf(
      'listDeviceFiles',
      { params, query: wanted === undefined ? { key } : { key, path: wanted } },
      { quiet: true },
    ),
    retry: false,
    refetchOnWindowFocus: false,
  });
  const transfers = useQuery({
    ...queryOf('listFileTransfers', { params, query: { key } }, { quiet: true }),
    refetchInterval: ({ state }) => (state.data?.items.some(isActive) ? PROGRESS_MS : false),
    retry: false,
    refetchOnWindowFocus: false,
  });
  const uploads = useUploads(place, () => void folder.refetch());
  const path = folder.data?.path ?? wanted ?? '';
  const at = (name: string) => (path === '/' ? `/${name}` : `${path}/${name}`);

  function open(next: string) {
    setEntered(null);
    setWanted(next);
  }
  async function download(file: DeviceFile) {
    try {
      const { id } = await call('startDownload', { params, body: { key, path: at(file.name) } }, { quiet: true });
      const [, address] = endpoints.readDownload!;
      const link = document.createElement('a');
      link.href = addressOf(address, { params: { ...params, transferId: id }, query: { key } });
      link.download = file.name;
      link.click();
    } catch (error) {
      toast.error(error instanceof ApiProblem ? error.message : String(error));
    }
    await transfers.refetch();
  }
  async function cancel({ id }: LinkTransfer) {
    await call('cancelTransfer', { params: { ...params, transferId: id }, body: { key } }).catch(() => undefined);
    await transfers.refetch();
  }
  const add = (files: Iterable<File>) => uploads.add(files, ({ name }) => at(name));
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (folder.data) add(event.dataTransfer.files);
  };
  const done = () => {
    setAsked(null);
    void folder.refetch();
  };

  const files = folder.data?.files.toSorted(byKindAndName) ?? [];
  return (
    <section
      className={css.panel}
      data-over={over || undefined}
      hidden={hidden}
      aria-label={t('files.title')}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <form
        className={css.bar}
        onSubmit={(event) => {
          event.preventDefault();
          open(entered ?? path);
        }}
      >
        <Button size="small" disabled={path === '/' || path === ''} onClick={() => open(parentOf(path))}>
          {t('files.up')}
        </Button>
        <Input
          className={css.path}
          size="small"
          aria-label={t('files.path')}
          value={entered ?? path}
          spellCheck={false}
          onChange={(event) => setEntered(event.target.value)}
        />
        <Button size="small" htmlType="submit" loading={folder.isFetching}>
          {t('files.open')}
        </Button>
        <Button size="small" disabled={!folder.data} onClick={() => setAsked({ kind: 'folder' })}>
          {t('files.newFolder')}
        </Button>
        <Button size="small" type="primary" disabled={!folder.data} onClick={() => chooser.current?.click()}>
          {t('files.choose')}
        </Button>
        <input
          ref={chooser}
          type="file"
          multiple
          hidden
          aria-label={t('files.choose')}
          onChange={({ target }) => {
            add(target.files ?? []);
            target.value = '';
          }}
        />
      </form>
      {folder.isError ? (
        <ErrorState error={folder.error} onRetry={() => void folder.refetch()} />
      ) : folder.data ? (
        <Table
          label={t('files.title')}
          rows={files}
          rowKey="name"
          scrollHeight={220}
          columns={[
            {
              key: 'name',
              title: t('files.name'),
              render: (_, file: DeviceFile) => (
                <Name file={file} onOpen={() => open(at(file.name))} onDownload={() => void download(file)} />
              ),
            },
            {
              key: 'size',
              title: t('files.size'),
              width: 90,
              render: (_, { kind, size }) => (kind === 'file' ? formatSize(size) : ''),
            },
            ...(narrow
              ? []
              : [
                  {
                    key: 'modified',
                    title: t('files.modified'),
                    width: 170,
                    render: (_: unknown, { modifiedAt }: DeviceFile) => <ExactTime at={modifiedAt} />,
                  },
                ]),
            {
              key: 'actions',
              title: t('files.actions'),
              width: 150,
              render: (_, file) =>
                file.usable && (
                  <>
                    <Button
                      size="small"
                      type="link"
                      aria-label={t('files.renameName', { name: file.name })}
                      onClick={() => setAsked({ kind: 'rename', file })}
                    >
                      {t('files.rename')}
                    </Button>
                    <Button
                      size="small"
                      type="link"
                      danger
                      aria-label={t('files.removeName', { name: file.name })}
                      onClick={() => setAsked({ kind: 'remove', file })}
                    >
                      {t('files.remove')}
                    </Button>
                  </>
                ),
            },
          ]}
        />
      ) : (
        <SkeletonRows rows={4} />
      )}
      {folder.data?.more && <p className="quiet">{t('files.more', { count: files.length })}</p>}
      <TransferList
        uploads={uploads.uploads}
        downloads={transfers.data?.items.filter(({ direction }) => direction === 'download') ?? []}
        onReplace={uploads.replace}
        onRemove={uploads.remove}
        onCancel={(one) => void cancel(one)}
      />
      {asked?.kind === 'folder' && (
        <NameDialog
          title={t('files.newFolder')}
          ok={t('files.create')}
          name=""
          save={(name) => call('createDeviceFolder', { params, body: { key, path: at(name) } }, { quiet: true })}
          onDone={done}
          onClose={() => setAsked(null)}
        />
      )}
      {asked?.kind === 'rename' && (
        <NameDialog
          title={t('files.renameName', { name: asked.file.name })}
          ok={t('files.rename')}
          name={asked.file.name}
          save={(to) =>
            call('renameDeviceFile', { params, body: { key, path: at(asked.file.name), to: at(to) } }, { quiet: true })
          }
          onDone={done}
          onClose={() => setAsked(null)}
        />
      )}
      {asked?.kind === 'remove' && (
        <Confirm
          title={t('files.removeTitle', { name: asked.file.name })}
          ok={t('files.remove')}
          danger
          run={() => call('removeDeviceFile', { params, body: { key, path: at(asked.file.name) } }, { quiet: true })}
          onDone={done}
          onClose={() => setAsked(null)}
        >
          <p>{t(asked.file.kind === 'folder' ? 'files.removeFolder' : 'files.removeText')}</p>
        </Confirm>
      )}
    </section>
  );
}

function Name({ file, onOpen, onDownload }: { file: DeviceFile; onOpen(): void; onDownload(): void }) {
  const { t } = useTranslation('links');
  const { name, kind, link, usable } = file;
  if (!usable || kind === 'other') {
    return (
      <span>
        <span className="two-lines" title={name}>
          {name}
        </span>{' '}
        <span className="quiet">{t(usable ? 'files.other' : 'files.unusable')}</span>
      </span>
    );
  }
  const folder = kind === 'folder';
  return (
    <>
      <Button
        size="small"
        type="link"
        className={css.file}
        aria-label={t(folder ? 'files.openName' : 'files.downloadName', { name })}
        onClick={folder ? onOpen : onDownload}
      >
        <span className="two-lines" title={name}>
          {folder ? `${name}/` : name}
        </span>
      </Button>
      {link && <span className="quiet">{t('files.link')}</span>}
    </>
  );
}

function isActive({ direction, state }: LinkTransfer): boolean {
  return direction === 'download' && (state === 'running' || state === 'waiting');
}

function byKindAndName(one: DeviceFile, other: DeviceFile): number {
  const rank = ({ kind }: DeviceFile) => (kind === 'folder' ? 0 : 1);
  return rank(one) - rank(other) || one.name.localeCompare(other.name, undefined, { numeric: true });
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}
