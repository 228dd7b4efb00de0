/**
 * The tables besides those of the engine. From the first release of vibe that has them, a new column or table needs a
 * new `FORMAT`, and a statement that adds it.
 */
export const tables = `
create table vibe_cluster (format integer not null);

create table vibe_workers (
  id text primary key,
  version text not null,
  parallel integer not null,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now()
);

create table vibe_runs (
  id text primary key,
  repository text not null,
  commit text not null,
  version text not null,
  -- Those that explain, by id, as an array.
  models jsonb not null,
  -- What all batches are sent with: system prompt, tools, choice of a tool, thinking.
  request jsonb not null,
  -- planning, running, complete, budget, stopped, cancelled
  state text not null,
  reason text,
  max_cost double precision,
  spent double precision not null,
  reserved double precision not null default 0,
  -- At most: of answers that were lost with their worker, which the provider may charge for.
  lost double precision not null default 0,
  input_tokens double precision not null default 0,
  output_tokens double precision not null default 0,
  -- Answers that were paid for twice, since a worker ended before the first was stored.
  repeated integer not null default 0,
  created_at timestamptz not null default now(),
  planned_at timestamptz not null default now(),
  ended_at timestamptz
);

create unique index vibe_runs_open on vibe_runs (repository) where state in ('planning', 'running');

create table vibe_batches (
  run text not null references vibe_runs (id) on delete cascade,
  number integer not null,
  digest text not null,
  model text not null,
  -- Of the plan, or asked for once more.
  planned boolean not null,
  symbols integer not null,
  tokens integer not null,
  -- Compressed JSON.
  content bytea not null,
  -- The most tokens of its answer where the cost is limited, and what that would cost.
  max_output integer not null,
  estimate double precision not null,
  -- waiting, sent (to the engine), running, answered, refused
  state text not null default 'waiting',
  worker text,
  attempts integer not null default 0,
  reserved double precision not null default 0,
  -- What attempts for it had reserved that is a part of what its run has lost.
  lost double precision not null default 0,
  sent_at timestamptz,
  begun_at timestamptz,
  -- The last report of a worker that has it.
  seen_at timestamptz,
  ended_at timestamptz,
  answer bytea,
  -- The calls of RunStore that began it last, and that stored its answer.
  begun_by text,
  ended_by text,
  primary key (run, number),
  unique (run, digest)
);

create index vibe_batches_open on vibe_batches (run, number) where state in ('waiting', 'sent', 'running');
`
