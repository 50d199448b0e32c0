export { ForbiddenPage as default } from './error-pages.tsx';
