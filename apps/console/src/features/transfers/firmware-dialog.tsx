import type { FirmwareRow } from '@chargehand/contract';
import { FIRMWARE_KINDS, FIRMWARE_LIMIT, type FirmwareKind, firmwareFileFault, formatSize } from '@chargehand/domain';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Button, Input, Radio, Select } from 'antd';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { ApiProblem } from '../../shared/api/problem.ts';
import { queryOf, refresh } from '../../shared/api/query.ts';
import { useEdited } from '../../shared/hooks/use-edited.ts';
import { useTyped } from '../../shared/hooks/use-typed.ts';
import { useModelName } from '../../shared/i18n/use-model-name.ts';
import { UploadProblem } from '../../shared/storage/upload.ts';
import { Dialog } from '../../shared/ui/dialogs/dialog.tsx';
import { useGuardedClose } from '../../shared/ui/dialogs/leave-guard.tsx';
import { toast } from '../../shared/ui/dialogs/toast.ts';
import { ErrorNote } from '../../shared/ui/states/error-note.tsx';
import { FormField } from '../../shared/ui/transfers/transfer-fields.tsx';
import { checksumOf, versionIn } from './checksum.ts';
import { isWhole, signingBody, signingOf } from './entered-signing.ts';
import { SigningFields } from './signing-fields.tsx';
import './transfers.module.css';
import { uploadFirmware } from './upload-firmware.ts';

/** Adds a firmware file, or changes the data of one. */
export function FirmwareDialog({ firmware, onClose }: { firmware: FirmwareRow | null; onClose(): void }) {
  const { t } = useTranslation('transfers');
  const { t: files } = useTranslation('files');
  const { t: common } = useTranslation();
  const id = useId();
  const [file, setFile] = useState<File | null>(null);
  const [kind, setKind] = useState<FirmwareKind>(firmware?.kind ?? 'software');
  const [version, setVersion] = useState(firmware?.version ?? '');
  const [note, setNote] = useState(firmware?.note ?? '');
  const [models, setModels] = useState(firmware?.models.map((model) => model.id) ?? []);
  const [expected, setExpected] = useState('');
  const [signing, setSigning] = useState(() => signingOf(firmware));
  const [sent, setSent] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const cancel = useRef<AbortController>(null);
  useEffect(() => () => cancel.current?.abort(), []);

  const busy = sent !== null;
  // Unlike an upload, a change cannot be cancelled.
  const saves = busy && firmware !== null;
  const edited = useEdited([version, note, models, expected, signing, file?.name]);
  const { close, guard } = useGuardedClose(edited, onClose);
  const ready = version.trim() !== '' && models.length > 0 && (firmware !== null || file !== null) && isWhole(signing);

  function take(chosen: File | undefined) {
    if (!chosen) return;
    const fault = firmwareFileFault(chosen);
    const values = { name: chosen.name, limit: formatSize(FIRMWARE_LIMIT) };
    setProblem(fault === null ? null : files(`fault.${fault}`, { ...values, types: '' }));
    setFile(fault === null ? chosen : null);
    if (fault === null && version.trim() === '') setVersion(versionIn(chosen.name));
  }

  async function save(signal: AbortSignal) {
    const fields = { version, note, deviceModelIds: models, ...signingBody(signing) };
    if (firmware) {
      await call('updateFirmware', { params: { id: firmware.id }, body: fields }, { quiet: true });
      return;
    }
    if (!file) return;
    const sha256 = await checksumOf(file);
    signal.throwIfAborted();
    const wanted = expected.trim().toLowerCase();
    if (wanted !== '' && wanted !== sha256)
      throw new UploadProblem('failed', t('firmware.checksumDiffers', { sha256 }));
    const key = await uploadFirmware(file, { signal, onProgress: setSent });
    signal.throwIfAborted();
    const body = { ...fields, kind, key, fileName: file.name, size: file.size, sha256 };
    await call('registerFirmware', { body }, { quiet: true, signal });
  }

  async function submit() {
    const control = new AbortController();
    cancel.current = control;
    setProblem(null);
    setSent(0);
    try {
      await save(control.signal);
      toast.success(t('firmware.saved', { version: version.trim() }));
      void refresh('listFirmware');
      onClose();
    } catch (error) {
      if (control.signal.aborted) return;
      console.warn('A firmware file could not be saved', error);
      setProblem(
        error instanceof ApiProblem || (error instanceof UploadProblem && error.message !== error.fault)
          ? error.message
          : files('fault.failed', { name: file?.name ?? '' }),
      );
    } finally {
      // After it was cancelled, another attempt may run already.
      if (cancel.current === control) setSent(null);
    }
  }

  function stop() {
    cancel.current?.abort();
    setSent(null);
    toast.info(files('cancelled'));
  }

  return (
    <Dialog
      title={firmware ? t('firmware.editTitle', { version: firmware.version }) : t('firmware.add')}
      okText={firmware ? common('save') : t('firmware.upload')}
      cancelText={common('cancel')}
      okButtonProps={{ disabled: !ready, loading: busy }}
      pending={saves}
      mask={{ closable: false }}
      onOk={() => void submit()}
      onCancel={close}
      width={560}
    >
      {guard}
      <div className="transfer-form">
        {firmware === null && (
          <FormField
            id={`${id}-file`}
            label={t('firmware.file')}
            hint={t('firmware.fileHint', { limit: formatSize(FIRMWARE_LIMIT) })}
          >
            <div className="field-row">
              <input
                ref={input}
                id={`${id}-file`}
                className="visually-hidden"
                type="file"
                disabled={busy}
                onChange={(event) => {
                  take(event.target.files?.[0]);
                  // Allows the same file to be selected again after it was rejected.
                  event.target.value = '';
                }}
              />
              <Button disabled={busy} onClick={() => input.current?.click()}>
                {t('firmware.choose')}
              </Button>
              <span className="two-lines" title={file?.name}>
                {file && `${file.name} · ${formatSize(file.size)}`}
              </span>
            </div>
          </FormField>
        )}
        {firmware === null && (
          <FormField id={`${id}-kind`} label={t('firmware.kind')}>
            <Radio.Group
              id={`${id}-kind`}
              value={kind}
              options={FIRMWARE_KINDS.map((one) => ({ value: one, label: t(`kinds.${one}`) }))}
              onChange={(event) => setKind(event.target.value)}
            />
          </FormField>
        )}
        <FormField id={`${id}-version`} label={t('firmware.version')} hint={t('firmware.versionHint')}>
          <Input
            id={`${id}-version`}
            value={version}
            maxLength={50}
            autoComplete="off"
            onChange={(event) => setVersion(event.target.value)}
          />
        </FormField>
        <FormField id={`${id}-models`} label={t('firmware.models')} hint={t('firmware.modelsHint')}>
          <ModelsSelect id={`${id}-models`} value={models} known={firmware?.models ?? []} onChange={setModels} />
        </FormField>
        {firmware === null && (
          <FormField id={`${id}-sha`} label={t('firmware.expected')} hint={t('firmware.expectedHint')}>
            <Input
              id={`${id}-sha`}
              className="mono"
              value={expected}
              maxLength={64}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => setExpected(event.target.value)}
            />
          </FormField>
        )}
        <SigningFields firmware={firmware} value={signing} disabled={busy} onChange={setSigning} />
        <FormField id={`${id}-note`} label={t('firmware.note')}>
          <Input.TextArea
            id={`${id}-note`}
            value={note}
            maxLength={500}
            rows={2}
            onChange={(event) => setNote(event.target.value)}
          />
        </FormField>
        {busy && firmware === null && (
          <div className="transfer-sending">
            <progress max={1} value={sent} aria-label={files('uploading', { name: file?.name ?? '' })} />
            <span>{Math.floor(sent * 100)} %</span>
            <Button size="small" onClick={stop}>
              {files('cancel')}
            </Button>
          </div>
        )}
        <ErrorNote text={problem} />
      </div>
    </Dialog>
  );
}

/** Selects device models. The server searches. */
function ModelsSelect(props: {
  id: string;
  value: number[];
  known: readonly { id: number; name: string }[];
  onChange(ids: number[]): void;
}) {
  const modelName = useModelName();
  const [search, setSearch] = useState('');
  const [names, setNames] = useState<ReadonlyMap<number, string>>(
    new Map(props.known.map(({ id, name }) => [id, modelName(name)])),
  );
  const typed = useTyped(search, setSearch);
  const models = useQuery({
    ...queryOf(
      'listDeviceModels',
      { query: { page: 1, pageSize: 50, sort: 'name', search: search || undefined } },
      { quiet: true },
    ),
    placeholderData: keepPreviousData,
  });
  const found = models.data?.items.map(({ id, name }) => ({ value: id, label: modelName(name) })) ?? [];
  const chosen = props.value.filter((id) => !found.some(({ value }) => value === id));
  return (
    <Select<number[], { value: number; label: string }>
      id={props.id}
      mode="multiple"
      showSearch={{ filterOption: false, searchValue: typed.text, onSearch: typed.type }}
      value={props.value}
      options={[...chosen.map((id) => ({ value: id, label: names.get(id) ?? String(id) })), ...found]}
      onChange={(ids) => {
        setNames(new Map([...names, ...found.map((one): [number, string] => [one.value, one.label])]));
        props.onChange(ids);
      }}
    />
  );
}
