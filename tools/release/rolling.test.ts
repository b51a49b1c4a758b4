import { expect, test } from 'vitest'
import { releasedMigrations } from '#server/database/migrate.ts'
import { hashedMigrations, laterMigrations, readReleases } from './releases.ts'
import { statementsThatBreak } from './rolling.ts'

/** Statements that are allowed, because no server of the release before uses the object. Each has its reason. */
const allowed: Readonly<Record<string, string>> = {}

/** The migrations of the first release. As long as no release exists, these are the first file and the platform's. */
const first = readReleases()[0] ?? {
  migrations: hashedMigrations({
    platform: releasedMigrations().platform,
    product: releasedMigrations().product.slice(0, 1),
  }),
}

test('a migration after the first release never breaks the servers of the release before it', () => {
  const breaking = laterMigrations(first).flatMap(({ text }) => statementsThatBreak(text))

  expect(breaking.filter((statement) => !Object.hasOwn(allowed, statement))).toEqual([])
  expect(Object.keys(allowed).filter((statement) => !breaking.includes(statement))).toEqual([])
})

test.each([
  'alter table public.budgets drop column monthly_limit',
  'alter table public.budgets drop monthly_limit',
  'alter table public.budgets rename column monthly_limit to limit_of_month',
  'alter table public.budgets rename to accounts',
  'alter table public.budgets\n  add column later numeric not null',
  'alter table public.budgets add later numeric, add other text not null',
  'alter table public.budgets alter column monthly_limit set not null',
  'alter table public.budgets alter monthly_limit type text using monthly_limit::text',
  'alter table public.budgets alter column balance drop default',
  'alter table public.budgets set schema private',
  'drop table public.batches',
  'drop function public.add_beneficiary(uuid, text, text)',
  'alter function public.statement(date) rename to month_statement',
  'alter type public.receipt drop attribute state',
  'revoke select on public.budgets from authenticated',
  "comment on table public.budgets is 'a; b'; drop view public.audit_entries",
])('a migration cannot contain: %s', (statement) => {
  expect(statementsThatBreak(`-- A comment.\n${statement};`)).toHaveLength(1)
})

test.each([
  'alter table public.budgets add column later numeric',
  "alter table public.budgets add column later text not null default 'x'",
  'alter table public.budgets add column later numeric not null generated always as (balance) stored',
  'alter table public.budgets drop constraint budgets_balance_is_sane',
  'alter table public.budgets alter column monthly_limit drop not null',
  'alter table public.budgets add constraint sane check (later is not null) not valid',
  'create or replace function public.answer() returns int language sql as $$ select 1; drop table x; $$',
  "comment on table public.budgets is 'drop table public.budgets'",
  'drop index public.budgets_by_balance',
])('a migration may contain: %s', (statement) => {
  expect(statementsThatBreak(`${statement};`)).toEqual([])
})
