/** What the lints of `lints.sql` find and what is left as it is, each with its reason; and splinter's lints that are not in there. */

type Reason = { readonly lint: string; readonly objects: readonly string[]; readonly reason: string }

/** Findings that are meant. A finding that is not here fails, and so does a line here that nothing finds any more. */
export const meant: readonly Reason[] = [
  {
    lint: 'authenticated_security_definer_function_executable',
    objects: [
      'private.is_admin()',
      'private.require_admin()',
      'private.delete_own_account()',
      'private.replay_answer(route text, key text, body_hash text)',
      'private.claim_answer(route text, key text, body_hash text, answered uuid)',
    ],
    reason:
      'No request can name a function of `private`. Policies and functions call these; each asks by auth.uid() what its caller may, and every cell of docs/authorization.md tries them.',
  },
  {
    lint: 'authenticated_security_definer_function_executable',
    objects: [
      'public.restore_transaction(id uuid)',
      'public.export_my_data()',
      'public.register_transaction(user_id uuid, type text, amount numeric, description text, date timestamp with time zone, category text, id uuid, idempotency_key text, body_hash text)',
      'public.delete_user(user_id uuid, idempotency_key text, body_hash text)',
      'public.begin_user_creation(user_id uuid, role text, idempotency_key text, body_hash text)',
      'public.abort_user_creation(idempotency_key text)',
    ],
    reason:
      'Requests are meant to call them, and they write what no caller may write past them. Each first asks who calls: private.require_admin(), or rows of auth.uid() alone; every cell of docs/authorization.md tries them.',
  },
  {
    lint: 'rls_enabled_no_policy',
    objects: [
      'auth.data_keys',
      'auth.flow_state',
      'auth.identities',
      'auth.known_networks',
      'auth.mfa_challenges',
      'auth.mfa_factors',
      'auth.mfa_recovery_codes',
      'auth.one_time_tokens',
      'auth.outgoing_mails',
      'auth.sessions',
      'auth.users',
      'realtime.epochs',
      'realtime.outbox',
    ],
    reason: 'Nobody but the service that owns the table reads or writes it, and an owner needs no policy.',
  },
  {
    lint: 'rls_enabled_no_policy',
    objects: ['ledger.daily_check', 'ledger.deleted_transactions', 'ledger.idempotency_keys'],
    reason: 'Nobody has a right on these tables: functions with their owner’s rights keep them.',
  },
  {
    lint: 'function_search_path_mutable',
    objects: ['auth.email()', 'auth.jwt()', 'auth.role()', 'auth.uid()'],
    reason:
      'As on a hosted project. A function with settings of its own cannot be inlined into a policy; these have the caller’s rights and call nothing but functions of pg_catalog, which every path searches first.',
  },
  {
    lint: 'function_search_path_mutable',
    objects: [
      'auth.is_open(session auth.sessions, person auth.users)',
      'auth.serving_login()',
      'auth.session_ends_at(created_at timestamp with time zone, refreshed_at timestamp with time zone, not_after timestamp with time zone, is_administrator boolean)',
    ],
    reason:
      'Asked at every request, so they must be inlined too; their bodies are no text but queries whose names were resolved when they were made.',
  },
  {
    lint: 'function_search_path_mutable',
    objects: ['rest.has_time(milliseconds_max integer)'],
    reason:
      'Asked before each costly test of a row, so it must be inlined. It has the caller’s rights, its names are qualified or of pg_catalog.',
  },
]

/** Lints of splinter's that look at no schema, or at something that this product does not have. */
export const leftOut: readonly { readonly number: number; readonly lint: string; readonly reason: string }[] =
  [
    {
      number: 5,
      lint: 'unused_index',
      reason: 'Statistics of a database in use; a new one has used none of its indexes.',
    },
    {
      number: 12,
      lint: 'auth_allow_anonymous_sign_ins',
      reason: 'A setting of the identity service; this one refuses anonymous users (auth/not-offered).',
    },
    {
      number: 20,
      lint: 'table_bloat',
      reason: 'Statistics of a database in use.',
    },
    {
      number: 25,
      lint: 'public_bucket_allows_listing',
      reason: 'Buckets of /storage/v1, of which there are none.',
    },
    {
      number: 27,
      lint: 'pg_graphql_authenticated_table_exposed',
      reason:
        'Looks at databases with the extension pg_graphql alone. What signed-in people may read is in supabase/authorization/permissions.ts, line by line.',
    },
    {
      number: 31,
      lint: 'unused_replication_slot',
      reason: 'The state of a cluster in use.',
    },
  ]
