import { useTranslation } from 'react-i18next';
import { OnlineUsersPage } from '../features/people/online/online-users-page.tsx';
import { routeAt } from './destinations.ts';

/** Who is signed in; what a page is called is known here, where the routes are. */
export default function OnlineUsersScreen() {
  const { t } = useTranslation('routes');
  return (
    <OnlineUsersPage
      titleOf={(path) => {
        const route = routeAt(path);
        return route ? t(route.titleKey) : path;
      }}
    />
  );
}
