// What desktop programs put on the clipboard as HTML, shortened, with everything that is special about their markup.

const STYLES = `<style><!--
 /* Font Definitions */
@font-face {font-family:"Cambria Math"; panose-1:2 4 5 3 5 4 6 3 2 4; mso-font-charset:0;}
p.MsoNormal, li.MsoNormal {mso-style-unhide:no; margin:0cm; mso-fareast-font-family:等线;}
@list l0:level1 {mso-level-number-format:bullet; mso-level-text:; font-family:Symbol;}
--></style>
<!--[if gte mso 10]><style> table.MsoNormalTable {mso-style-name:"Table Normal";} </style><![endif]-->`;

const item = (level: number, marker: string, text: string, place: string) =>
  `<p class=MsoListParagraphCxSp${place} style='margin-left:36.0pt;mso-add-space:auto;text-indent:-18.0pt;
mso-list:l0 level${level} lfo1'><![if !supportLists]><span lang=EN-US style='font-family:Symbol;mso-bidi-font-family:Symbol'><span
style='mso-list:Ignore'>${marker}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp;&nbsp; </span></span></span><![endif]><span
lang=EN-US>${text}<o:p></o:p></span></p>`;

/** Word: a heading, formatted text, a list of two levels, a table and a picture. */
export const WORD = `<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"
xmlns:w="urn:schemas-microsoft-com:office:word" xmlns:m="http://schemas.microsoft.com/office/2004/12/omml"
xmlns="http://www.w3.org/TR/REC-html40"><head><meta http-equiv=Content-Type content="text/html; charset=utf-8">
<meta name=ProgId content=Word.Document><meta name=Generator content="Microsoft Word 15">
<link rel=File-List href="file:///C:/Users/ada/AppData/Local/Temp/msohtmlclip1/01/clip_filelist.xml">
<!--[if gte mso 9]><xml><o:OfficeDocumentSettings><o:AllowPNG/></o:OfficeDocumentSettings></xml><![endif]-->
<!--[if gte mso 9]><xml><w:WordDocument><w:View>Normal</w:View><w:TrackMoves/></w:WordDocument></xml><![endif]-->
${STYLES}</head><body lang=ZH-CN style='tab-interval:21.0pt'><!--StartFragment-->
<h1><span lang=EN-US>Ground failure<o:p></o:p></span></h1>
<p class=MsoNormal style='mso-pagination:widow-orphan'><b style='mso-bidi-font-weight:normal'><span lang=EN-US
style='font-size:12.0pt;color:red;mso-bidi-font-family:"Times New Roman"'>Stop</span></b><span lang=EN-US> the charging
session, then wait for <i>ten</i> minutes.</span><span style='mso-hansi-font-family:等线'>等待十分钟。</span><o:p></o:p></p>
${item(1, '·', 'Lock the switch', 'First')}${item(2, 'o', 'Keep the key', 'Middle')}${item(1, '·', 'Measure', 'Last')}
<p class=MsoNormal><span lang=EN-US><o:p>&nbsp;</o:p></span></p>
<table class=MsoTableGrid border=1 cellspacing=0 cellpadding=0 style='border-collapse:collapse;mso-yfti-tbllook:1184'>
 <tr style='mso-yfti-irow:0;mso-yfti-firstrow:yes'><td width=277 valign=top style='width:207.4pt;padding:0cm 5.4pt 0cm 5.4pt'>
  <p class=MsoNormal><span lang=EN-US>Part<o:p></o:p></span></p></td>
  <td width=277 valign=top><p class=MsoNormal><span lang=EN-US>Limit<o:p></o:p></span></p></td></tr>
 <tr style='mso-yfti-irow:1;mso-yfti-lastrow:yes'><td width=277 colspan=2><p class=MsoNormal><span
  lang=EN-US>K1<o:p></o:p></span></p></td></tr></table>
<p class=MsoNormal><span lang=EN-US style='mso-no-proof:yes'><!--[if gte vml 1]><v:shapetype id="_x0000_t75" coordsize="21600,21600">
 <v:stroke joinstyle="miter"/></v:shapetype><v:shape id="p1" type="#_x0000_t75"><v:imagedata
 src="file:///C:/Users/ada/AppData/Local/Temp/msohtmlclip1/01/clip_image001.png"/></v:shape><![endif]--><![if !vml]><img
width=553 height=312 src="file:///C:/Users/ada/AppData/Local/Temp/msohtmlclip1/01/clip_image002.jpg" v:shapes="p1"><![endif]></span></p>
<!--EndFragment--></body></html>`;

/** Excel: a range with widths of columns, a merged cell, a number and a line break in a cell. */
export const EXCEL = `<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"
xmlns:x="urn:schemas-microsoft-com:office:excel" xmlns="http://www.w3.org/TR/REC-html40"><head>
<meta http-equiv=Content-Type content="text/html; charset=utf-8"><meta name=ProgId content=Excel.Sheet>
<link id=Main-File rel=Main-File href="file:///C:/Users/ada/AppData/Local/Temp/msohtmlclip1/01/clip.htm">
<style><!--table {mso-displayed-decimal-separator:"\\."; mso-displayed-thousand-separator:"\\,";}
.xl65 {mso-number-format:"0\\.00_ "; text-align:center; mso-background-source:auto;} br {mso-data-placement:same-cell;}
--></style></head><body link="#0563C1" vlink="#954F72">
<table border=0 cellpadding=0 cellspacing=0 width=216 style='border-collapse:collapse;width:162pt'>
 <!--StartFragment--><col width=72 span=3 style='width:54pt'><colgroup><col width=72></colgroup>
 <tr height=19 style='height:14.25pt'><td colspan=2 height=19 class=xl65 width=144 style='height:14.25pt;width:108pt'>部件</td>
  <td width=72 style='width:54pt'>Limit</td></tr>
 <tr height=19><td height=19 align=right x:num>12.50 </td><td>K1<br>left</td><td class=xl65>&nbsp;</td></tr>
 <!--EndFragment--></table></body></html>`;

/** LibreOffice Writer, and a range of Calc after it. */
export const LIBRE_OFFICE = `<!DOCTYPE html><html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"/><title></title>
<meta name="generator" content="LibreOffice 24.8.3.2 (Linux)"/><style type="text/css">@page { size: 21cm 29.7cm; margin: 2cm }
h2.cjk { font-family: "Noto Sans CJK SC" } p { line-height: 115% }</style></head><body lang="en-US" dir="ltr">
<h2 class="western">Fan</h2><p style="margin-bottom: 0cm"><font color="#c9211e"><span style="background: #ffff00"><strong>Clean</strong></span></font>
the filter</p><ol><li><p style="margin-bottom: 0cm">Open</p></li><li><p>Clean</p></li></ol>
<table cellspacing="0" border="0"><colgroup width="85"></colgroup><colgroup width="85"></colgroup><tr><td height="17" align="left"
valign=bottom><font face="Liberation Sans">Speed</font></td><td align="right" valign=bottom sdval="1200" sdnum="1033;">1200</td></tr></table>
</body></html>`;
