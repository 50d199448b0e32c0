export { EditDocumentPage as default } from './form-page.tsx';
