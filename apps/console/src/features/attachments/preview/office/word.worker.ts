import { answerFiles } from './answer.ts';
import { htmlOfWord } from './word.ts';

answerFiles(htmlOfWord);
