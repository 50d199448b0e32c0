-- The first event of each type in an incident, by type: receivers read about the types that they get.
alter table incidents add column types jsonb not null default '{}';

update incidents
   set types = jsonb_build_object(type, jsonb_build_object(
     'level', level, 'subjectKind', subject_kind, 'subjectId', subject_id, 'data', data))
 where closed_at is null;
