-- Lists of links are not searched any more: the job indexes all texts again.
update document_texts set indexed = false;
