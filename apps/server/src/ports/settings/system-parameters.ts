import type { ParameterKey, SettingKey } from '@chargehand/domain';

declare module '../../platform/bus/bus.ts' {
  interface BusMessages {
    'systemParameters.changed': { key: SettingKey };
  }
}

/** The subject for a changed parameter of the installation, published after its commit. */
export const PARAMETERS_CHANGED = 'systemParameters.changed';

/** The parameters of the installation. Read a value where it is used, because it changes at runtime. */
export interface SystemParameters {
  get(key: ParameterKey): number;
}
