-- Events of timelines keep the ID of another issue. Its name is read with the rights of the reader; stored copies go.
update issue_entries
   set data = (data - 'id' - 'number' - 'title')
              || case when jsonb_typeof(data -> 'id') = 'number' then jsonb_build_object('otherId', data -> 'id')
                      else '{}' end
 where event in ('linked', 'unlinked', 'merged', 'mergedHere', 'unmerged', 'unmergedHere') and data is not null;
