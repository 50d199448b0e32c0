import { PARAMETER_KEYS, type ParameterValues, systemParameter } from '@chargehand/domain';
import type { Config } from '../../platform/config/config.ts';

/** The values of parameters that were not changed: the environment variables, or the defaults of the product. */
export function baseValues(config: Config): ParameterValues {
  const { logDays, readingDays } = config;
  const fallbacks = Object.fromEntries(PARAMETER_KEYS.map((key) => [key, systemParameter(key).fallback]));
  return {
    ...(fallbacks as ParameterValues),
    sessionMinutes: config.sessionMinutes,
    sessionHours: config.sessionHours,
    sessionsPerUser: config.sessionsPerUser,
    protocolLogDays: config.protocolLogDays,
    actionLogDays: logDays.actions,
    signInLogDays: logDays.signIns,
    errorLogDays: logDays.errors,
    deviceLogDays: config.deviceLogDays,
    linkDays: config.links.days,
    readingDays: readingDays.raw,
    rollup5minDays: readingDays.rollups.fiveMinutes,
    rollupHourDays: readingDays.rollups.hour,
    rollupDayDays: readingDays.rollups.day,
  };
}
