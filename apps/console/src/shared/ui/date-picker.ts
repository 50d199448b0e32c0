// Ant Design's picker formats months and weekdays with Day.js, which supports Chinese only with its locale. Pages
// without a picker need neither.
import 'dayjs/locale/zh-cn';

export { DatePicker } from 'antd';
