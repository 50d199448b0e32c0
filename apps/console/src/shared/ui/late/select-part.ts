export { Select as default } from 'antd';
