// Ant Design's picker writes months and weekdays with Day.js, which knows Chinese only with its locale. Pages without a
// picker need neither.
import 'dayjs/locale/zh-cn';

export { DatePicker } from 'antd';
