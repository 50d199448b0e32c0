export { AddDocumentPage as default } from './form-page.tsx';
