import { DeleteOutlined, LeftOutlined, RightOutlined } from '@ant-design/icons';
import type { DeviceImage } from '@chargehand/contract';
import { DEVICE_PICTURES } from '@chargehand/contract/constants';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { ApiProblem } from '../../../shared/api/problem.ts';
import { queryOf, refresh } from '../../../shared/api/query.ts';
import { useModelName } from '../../../shared/i18n/use-model-name.ts';
import { Confirm } from '../../../shared/ui/dialogs/confirm.tsx';
import { Panel } from '../../../shared/ui/page/page-header.tsx';
import { PictureField } from '../../../shared/ui/pictures/picture-field.tsx';
import { OpenedPicture } from '../../../shared/ui/pictures/stored-picture.tsx';
import { EmptyState } from '../../../shared/ui/states/empty-state.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { ExactTime } from '../../../shared/ui/values/time-ago.tsx';
import type { DevicePartProps } from './device-detail-page.tsx';
import css from './maintenance.module.css';

const WIDTH = 220;
const HEIGHT = 150;

/** The pictures of a device, in a custom order. */
export default function PicturesSection({ device }: DevicePartProps) {
  const { t } = useTranslation('devices');
  const modelName = useModelName();
  const params = { id: device.id };
  const images = useQuery(queryOf('listDeviceImages', { params }, { quiet: true }));
  const [removing, setRemoving] = useState<DeviceImage | null>(null);
  const changed = () => refresh('listDeviceImages');
  const add = useMutation({
    mutationFn: (image: string) => call('addDeviceImage', { params, body: { image } }, { quiet: true }),
    onSettled: changed,
  });
  const order = useMutation({
    mutationFn: (ids: number[]) => call('orderDeviceImages', { params, body: { ids } }, { quiet: true }),
    onSettled: changed,
  });
  if (images.isError && !images.data) return <ErrorState error={images.error} onRetry={() => void images.refetch()} />;
  if (!images.data) return <SkeletonRows rows={4} />;
  const { items } = images.data;
  const { edit } = device.may;
  const problem = add.error ?? order.error;

  /** Swaps a picture with the next one. */
  const swap = (index: number) => {
    const ids = items.map(({ id }) => id);
    const [one, next] = [ids[index], ids[index + 1]];
    if (one !== undefined && next !== undefined) order.mutate(ids.with(index, next).with(index + 1, one));
  };

  return (
    <div className="stack">
      <Panel
        title={t('pictures.title')}
        extra={<span className="quiet">{t('pictures.count', { count: items.length, limit: DEVICE_PICTURES })}</span>}
      >
        {edit && items.length < DEVICE_PICTURES && (
          <div className={css.picturesAdd}>
            {/* A new field after every picture, because the previous field is used. */}
            <PictureField
              key={items.length}
              label={t('pictures.add')}
              onChange={(key) => key !== null && add.mutate(key)}
              disabled={add.isPending}
            />
          </div>
        )}
        {problem instanceof ApiProblem && (
          <p className="error-note" role="alert">
            {problem.message}
          </p>
        )}
        {items.length === 0 ? (
          <EmptyState text={t('pictures.empty')} />
        ) : (
          <ol className="pictures">
            {items.map((image, index) => {
              const number = index + 1;
              return (
                <li key={image.id}>
                  <OpenedPicture
                    of={image.key}
                    alt={t('pictures.of', { number, name: device.name })}
                    width={WIDTH}
                    height={HEIGHT}
                  />
                  <div className={css.pictureTools}>
                    <span>
                      {image.addedBy} <ExactTime at={image.addedAt} />
                    </span>
                    {edit && (
                      <>
                        <Tool
                          label={t('pictures.forward', { number })}
                          disabled={index === 0 || order.isPending}
                          onUse={() => swap(index - 1)}
                        >
                          <LeftOutlined aria-hidden="true" />
                        </Tool>
                        <Tool
                          label={t('pictures.back', { number })}
                          disabled={number === items.length || order.isPending}
                          onUse={() => swap(index)}
                        >
                          <RightOutlined aria-hidden="true" />
                        </Tool>
                        <Tool label={t('pictures.remove', { number })} onUse={() => setRemoving(image)}>
                          <DeleteOutlined aria-hidden="true" />
                        </Tool>
                      </>
                    )}
                  </div>
                </li>
              );
            })}
          </ol>
        )}
        {removing && (
          <Confirm
            title={t('pictures.removeTitle')}
            ok={t('pictures.removeOk')}
            danger
            run={() => call('removeDeviceImage', { params: { id: removing.id } }, { quiet: true })}
            onDone={() => {
              setRemoving(null);
              void changed();
            }}
            onClose={() => setRemoving(null)}
          >
            <p>{t('pictures.removeText')}</p>
          </Confirm>
        )}
      </Panel>
      {device.deviceModelImage !== null && (
        <Panel title={t('pictures.ofModel', { model: modelName(device.deviceModelName) })}>
          <OpenedPicture
            of={device.deviceModelImage}
            alt={t('pictures.ofModel', { model: modelName(device.deviceModelName) })}
            width={WIDTH}
            height={HEIGHT}
          />
        </Panel>
      )}
    </div>
  );
}

function Tool(props: { label: string; disabled?: boolean; onUse(): void; children: ReactNode }) {
  return (
    <Button
      type="text"
      size="small"
      aria-label={props.label}
      title={props.label}
      disabled={props.disabled ?? false}
      onClick={props.onUse}
    >
      {props.children}
    </Button>
  );
}
