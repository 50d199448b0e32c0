import type { DeviceDetail } from '@chargehand/contract';
import { Button } from 'antd';
import { type ComponentType, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loadWords } from '../../../shared/i18n/i18n.ts';
import { loadChunk } from '../../../shared/lib/browser/load-chunk.ts';
import { toast } from '../../../shared/ui/dialogs/toast.ts';

interface DialogProps {
  device: { id: number; name: string };
  onClose(): void;
}

/**
 * Opens the dialog that requests a link to a device, for users who may control it. The dialog is loaded with its texts
 * when it is first opened; if this fails, the page stays and the button can be pressed again.
 */
export function RequestButton({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('fleet');
  const { t: common } = useTranslation();
  const [dialog, setDialog] = useState<{ part: ComponentType<DialogProps> } | null>(null);
  const [loading, setLoading] = useState(false);
  if (!device.may.control) return null;
  async function open() {
    setLoading(true);
    try {
      const [{ default: part }] = await Promise.all([
        loadChunk(() => import('./request-dialog.tsx')),
        loadWords(['links']),
      ]);
      setDialog({ part });
    } catch (error) {
      console.warn('The dialog could not be loaded', error);
      toast.error(common('com_error_net'));
    } finally {
      setLoading(false);
    }
  }
  return (
    <>
      <Button loading={loading} onClick={() => void open()}>
        {t('remoteLink')}
      </Button>
      {dialog && <dialog.part device={{ id: device.id, name: device.name }} onClose={() => setDialog(null)} />}
    </>
  );
}
