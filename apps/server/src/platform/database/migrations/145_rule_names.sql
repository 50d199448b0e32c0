-- A ranking of codes asks for the name of the latest alarm of a rule with a code; of most codes there is none.
create index alarms_rule_code on alarms (code, raised_at) where rule is not null;
