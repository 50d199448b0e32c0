-- Names that the installation changed or added. Without a row, the shipped name applies.
create table dictionary_entries (
  dictionary text not null,
  code text not null,
  name_en text not null,
  name_zh text not null,
  enabled boolean not null,
  position integer not null,
  primary key (dictionary, code)
);

-- Every change of an entry. A value is null without a row in dictionary_entries.
create table dictionary_changes (
  id integer generated always as identity primary key,
  dictionary text not null,
  code text not null,
  at timestamptz not null,
  user_id integer references users on delete set null,
  user_name text not null,
  action text not null check (action in ('add', 'edit', 'remove', 'reset', 'undo')),
  before jsonb,
  after jsonb,
  undoes integer references dictionary_changes
);
create index dictionary_changes_entry on dictionary_changes (dictionary, code, id desc);
