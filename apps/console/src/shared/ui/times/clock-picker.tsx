import dayjs from 'dayjs';
import { DatePicker } from '../date-picker.ts';

interface Props {
  id: string;
  /** the minute of the day */
  minute: number;
  onChange(minute: number): void;
}

/** Accepted formats of typed times; the first one is shown. */
const FORMATS = ['HH:mm', 'H:mm'];
/** The picker works with a date and a time. On this day no zone changes its clocks. */
const DAY = dayjs('2000-01-05');

/** A time of the day with 24 hours: typed, or selected from a list. An incomplete time changes nothing. */
export function ClockPicker({ id, minute, onChange }: Props) {
  return (
    <DatePicker.TimePicker
      id={id}
      className="time-picker"
      format={FORMATS}
      needConfirm={false}
      allowClear={false}
      showNow={false}
      value={DAY.hour(Math.floor(minute / 60)).minute(minute % 60)}
      onChange={(next) => {
        if (next) onChange(next.hour() * 60 + next.minute());
      }}
    />
  );
}
