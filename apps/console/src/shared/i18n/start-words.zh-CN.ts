// The texts that every page needs, in one file.
import access from '../../locales/zh-CN/access.json';
import common from '../../locales/zh-CN/common.json';
import routes from '../../locales/zh-CN/routes.json';

export default { access, common, routes };
