import { answerFiles } from './answer.ts';
import { sheetsOf } from './sheets.ts';

answerFiles(sheetsOf);
