import { follow } from '../../shared/live/topics.ts';

follow('device.transfers', ['listTransfers', 'listDeviceLogs', 'listFirmware']);
