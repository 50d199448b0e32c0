-- The search index had the names of mentioned devices and documents, which not every reader of a text may know.
UPDATE document_texts SET indexed = false
 WHERE body @? '$.**.attrs ? (@.kind == "device" || @.kind == "document")';
