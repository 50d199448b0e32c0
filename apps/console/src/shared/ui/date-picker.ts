// The picker formats months and weekdays with Day.js, which supports Chinese only with its locale. Pages without a
// picker need neither.
import 'dayjs/locale/zh-cn';
import dayjsConfig from '@rc-component/picker/generate/dayjs';
import { DatePicker as AntdPicker } from 'antd';
import dayjs from 'dayjs';
import { wallTimeOf } from '../lib/time/wall-time.ts';

/** Ant Design's date picker, in which today and now are those of the installation's time zone. */
export const DatePicker = AntdPicker.generatePicker({ ...dayjsConfig, getNow: () => dayjs(wallTimeOf(Date.now())) });
