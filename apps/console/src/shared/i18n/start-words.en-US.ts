// The texts that every page needs, in one file.
import access from '../../locales/en-US/access.json';
import common from '../../locales/en-US/common.json';
import routes from '../../locales/en-US/routes.json';

export default { access, common, routes };
