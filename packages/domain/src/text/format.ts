/** Both languages group digits in the same way. */
const GROUPED = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/**
 * Sizes in Bytes, KB, MB, GB (spec §9), steps of 1024, at most one decimal: `formatSize(1536)` is `1.5 KB`. There is no
 * larger unit, so the digits are grouped: `1,048,576 GB`.
 */
export function formatSize(bytes: number): string {
  const units = ['Bytes', 'KB', 'MB', 'GB'];
  const shown = (unit: number) => Number((bytes / 1024 ** unit).toFixed(1));
  let unit = 0;
  // The rounded value decides: 1048575 bytes are 1 MB, not 1024 KB.
  while (shown(unit) >= 1024 && unit < units.length - 1) unit += 1;
  return `${GROUPED.format(shown(unit))} ${units[unit]}`;
}

/** Splits a duration in seconds into days, hours, minutes and seconds (spec §9). The caller adds the unit names. */
export function splitDuration(seconds: number): { days: number; hours: number; minutes: number; seconds: number } {
  const whole = Math.max(0, Math.floor(seconds));
  return {
    days: Math.floor(whole / 86_400),
    hours: Math.floor((whole % 86_400) / 3_600),
    minutes: Math.floor((whole % 3_600) / 60),
    seconds: whole % 60,
  };
}

/** The default zone of spec §9. */
export const DEFAULT_ZONE = 'Asia/Hong_Kong';

const formatters = new Map<string, Intl.DateTimeFormat>();

/** A time as `yyyy-MM-dd HH:mm:ss` in a zone (spec §9). */
export function formatTime(at: Date | string | number, zone: string = DEFAULT_ZONE): string {
  let formatter = formatters.get(zone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    });
    formatters.set(zone, formatter);
  }
  const part = Object.fromEntries(formatter.formatToParts(new Date(at)).map(({ type, value }) => [type, value]));
  return `${part.year}-${part.month}-${part.day} ${part.hour}:${part.minute}:${part.second}`;
}
