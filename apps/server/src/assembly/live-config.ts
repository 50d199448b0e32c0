import type { Config } from '../platform/config/config.ts';
import type { SystemParameters } from '../ports/settings/system-parameters.ts';

/**
 * The configuration with the present values of parameters. Read its fields where they are used: they change at runtime.
 */
export function liveConfig(config: Config, { get }: SystemParameters): Config {
  return {
    ...config,
    get sessionMinutes() {
      return get('sessionMinutes');
    },
    get sessionHours() {
      return get('sessionHours');
    },
    get sessionsPerUser() {
      return get('sessionsPerUser');
    },
    get protocolLogDays() {
      return get('protocolLogDays');
    },
    logDays: {
      get actions() {
        return get('actionLogDays');
      },
      get signIns() {
        return get('signInLogDays');
      },
      get errors() {
        return get('errorLogDays');
      },
    },
    get deviceLogDays() {
      return get('deviceLogDays');
    },
    links: {
      ...config.links,
      get days() {
        return get('linkDays');
      },
    },
    readingDays: {
      get raw() {
        return get('readingDays');
      },
      rollups: {
        get fiveMinutes() {
          return get('rollup5minDays');
        },
        get hour() {
          return get('rollupHourDays');
        },
        get day() {
          return get('rollupDayDays');
        },
      },
    },
  };
}
