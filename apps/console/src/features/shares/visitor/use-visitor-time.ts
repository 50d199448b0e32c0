import { useLocale } from '../../../shared/i18n/use-locale.ts';

const TIME = { year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const;

/** Writes times in the time zone of the visitor, with its name after the time in every language. */
export function useVisitorTime(): (at: string) => string {
  const locale = useLocale();
  const time = new Intl.DateTimeFormat(locale, TIME);
  const zoned = new Intl.DateTimeFormat(locale, { timeZoneName: 'short' });
  return (at) => {
    const date = new Date(at);
    const zone = zoned.formatToParts(date).find(({ type }) => type === 'timeZoneName')?.value;
    return `${time.format(date)} ${zone}`;
  };
}
