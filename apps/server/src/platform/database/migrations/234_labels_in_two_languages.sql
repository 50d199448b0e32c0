-- The labels of shipped enumerations carried both languages at once (`Yes 是`). As `Yes / 是` each reader sees their own.
-- Ranges are stored as lines `label|value|type`; in the descriptions of versions the lines are separated by `\n`.
-- Only the names change, not what a version says about values, so the versions are corrected in place.
create function label_in_two_languages(lines text) returns text language sql immutable as $$
  select regexp_replace(
    lines,
    '(^|\n|"|\\n)(Yes|No|None|Basic|Mutual TLS|Idle|Charging|Discharging|Fault|Self-consumption|Time of use|Backup|Manual)'
      ' (是|否|无|基本认证|双向 TLS|待机|充电|放电|故障|自发自用|峰谷套利|备电|手动)\|',
    '\1\2 / \3|', 'g')
$$;
update data_items set range = label_in_two_languages(range) where type = 4;
update device_model_items set range = label_in_two_languages(range) where type = 4 and range is not null;
alter table device_model_versions disable trigger device_model_versions_kept;
update device_model_versions set description = label_in_two_languages(description::text)::jsonb
  where description::text <> label_in_two_languages(description::text);
alter table device_model_versions enable trigger device_model_versions_kept;
drop function label_in_two_languages;
