import { zipOf } from '../../apps/server/src/testing/files/zip.ts';

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const related = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}" ${type === 'hyperlink' ? 'TargetMode="External"' : ''}/>`;

/** A Word document with a table, and with a link that is a script. */
export const wordFile = () =>
  zipOf({
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships">${related('d', 'officeDocument', 'word/document.xml')}</Relationships>`,
    'word/_rels/document.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships">${related('r1', 'hyperlink', 'javascript:top.broken=1')}</Relationships>`,
    'word/document.xml': `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="${RELATIONS}"><w:body>
      <w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Replace the relay 更换继电器</w:t></w:r></w:p>
      <w:p><w:r><w:t>Switch the charger off first. </w:t></w:r><w:hyperlink r:id="r1"><w:r><w:t>instructions</w:t></w:r></w:hyperlink></w:p>
      <w:tbl><w:tr><w:tc><w:p><w:r><w:t>Part</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>Count</w:t></w:r></w:p></w:tc></w:tr>
      <w:tr><w:tc><w:p><w:r><w:t>Relay K1</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>2</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
      </w:body></w:document>`,
  });

/** A workbook of two sheets, with a date. */
export const workbook = () =>
  zipOf({
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
    'xl/workbook.xml': `<workbook xmlns:r="r"><sheets><sheet name="Sites" r:id="a"/><sheet name="Notes" r:id="b"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${related('a', 'worksheet', 'a.xml')}${related('b', 'worksheet', 'b.xml')}${related('s', 'styles', 's.xml')}</Relationships>`,
    'xl/s.xml': '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>',
    'xl/a.xml': `<worksheet><sheetData>${Array.from(
      { length: 40 },
      (_, row) =>
        `<row r="${row + 1}"><c t="str"><v>Site ${row + 1}</v></c><c><v>${row * 7.5}</v></c><c s="1"><v>${46_000 + row}</v></c></row>`,
    ).join('')}</sheetData></worksheet>`,
    'xl/b.xml': '<worksheet><sheetData><row><c t="str"><v>Checked on site</v></c></row></sheetData></worksheet>',
  });
