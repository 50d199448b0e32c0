import { useNavigate } from 'react-router';
import LoginPage from './login-page.tsx';

/** The sign-in page within the console, as after signing out. */
export default function LoginRoute() {
  const navigate = useNavigate();
  // The guard of the sign-in page redirects signed-in users.
  return <LoginPage onSignedIn={async () => navigate(`/login${location.search}`, { replace: true })} />;
}
