/**
 * Adds the tables and functions of a book library to the bank, as an operator could. The tables have every kind of
 * relationship, and their rows belong to customers. The functions cover every kind of function that the API serves.
 * A library can be created only if `hasOwner` is true.
 */
import { randomUUID } from 'node:crypto'
import { expect, vi } from 'vitest'
import { runAsOwner } from '#tests/wire/owner-sql.ts'
import { rawRest } from './raw-rest.ts'

/** The names of a library's tables and functions. The names are unique to each library. */
export type Library = ReturnType<typeof namesOf>

function namesOf(suffix: string) {
  const named = <K extends string>(...names: K[]) =>
    Object.fromEntries(names.map((name) => [name, `${name}_${suffix}`])) as Record<K, string>
  return {
    ...named('authors', 'books', 'reviews', 'cheap_books', 'titled_books'),
    ...named('list_books', 'list_titles', 'list_pairs', 'newest_book', 'touch_books'),
    ...named('add_book', 'take_body', 'facts_of', 'lie'),
    ...named('join_words'),
    /** The foreign keys from books to authors. */
    ...named('by_author', 'by_editor'),
  }
}

/** Creates a library and waits until the API serves it. */
export async function createLibrary(): Promise<Library> {
  const l = namesOf(randomUUID().replaceAll('-', '').slice(0, 12))
  await runAsOwner([relations(l), rights(l), functionsOfBooks(l), otherFunctions(l)].join(''))
  const servedStatus = async () =>
    (await rawRest('POST', `/rpc/${l.facts_of}`, { body: { facts: {} } })).status
  await vi.waitFor(async () => expect(await servedStatus()).toBe(200), { timeout: 40_000, interval: 100 })
  return l
}

const relations = (l: Library) => `
    create table public.${l.authors} (
      id integer primary key, owner uuid not null default auth.uid(), name text
    );
    create table public.${l.books} (
      id integer primary key, owner uuid not null default auth.uid(),
      author integer constraint ${l.by_author} references public.${l.authors},
      editor integer constraint ${l.by_editor} references public.${l.authors},
      title text not null default 'Sin título', price numeric
    );
    create table public.${l.reviews} (
      id integer primary key, owner uuid not null default auth.uid(),
      book integer references public.${l.books}, stars integer
    );
    create view public.${l.cheap_books} with (security_invoker = true) as
      select b.id as number, b.author as written_by, b.title from public.${l.books} b where b.price < 10;
    create view public.${l.titled_books} with (security_invoker = true) as
      select c.number, c.written_by, upper(c.title) as title
      from (select * from public.${l.cheap_books}) c;`

/** The rows belong to customers. */
const rights = (l: Library) => `
    ${[l.authors, l.books, l.reviews]
      .map(
        (table) => `
    alter table public.${table} enable row level security;
    create policy "owners read" on public.${table} for select to authenticated using (owner = (select auth.uid()));
    create policy "owners write" on public.${table} for all to authenticated
      using (owner = (select auth.uid())) with check (owner = (select auth.uid()));
    grant select, insert, update, delete on public.${table} to authenticated;`,
      )
      .join('')}
    grant select on public.${l.cheap_books}, public.${l.titled_books} to authenticated;`

const functionsOfBooks = (l: Library) => `
    create function public.${l.list_books}(word text default '', price_max numeric default 1000)
      returns setof public.${l.books} language sql stable set search_path = ''
      as $$ select * from public.${l.books} b where b.title like '%' || word || '%' and coalesce(b.price, 0) <= price_max $$;
    create function public.${l.list_titles}() returns setof text language sql stable set search_path = ''
      as $$ select b.title from public.${l.books} b order by b.id $$;
    create function public.${l.list_pairs}(size integer) returns table (number integer, square integer)
      language sql immutable set search_path = '' as $$ select n, n * n from generate_series(1, size) n $$;
    create function public.${l.newest_book}() returns public.${l.books} language sql stable set search_path = ''
      as $$ select * from public.${l.books} b order by b.id desc limit 1 $$;
    create function public.${l.touch_books}(word text) returns setof public.${l.books} language sql
      set search_path = '' as $$ update public.${l.books} set title = word returning * $$;
    create function public.${l.add_book}(number integer) returns void language sql set search_path = ''
      as $$ insert into public.${l.books} (id) values (number) $$;`

const otherFunctions = (l: Library) => `
    create function public.${l.join_words}(sign text, variadic words text[]) returns text
      language sql immutable set search_path = '' as $$ select array_to_string(words, sign) $$;
    create function public.${l.take_body}(json) returns json language sql immutable set search_path = '' as $$ select $1 $$;
    create function public.${l.facts_of}(facts jsonb) returns jsonb language sql immutable set search_path = ''
      as $$ select facts $$;
    create function public.${l.lie}() returns bigint language sql stable set search_path = ''
      as $$ select count(*) from public.${l.touch_books}('x') $$;`

/** Drops a library. */
export async function removeLibrary(l: Library): Promise<void> {
  await runAsOwner(`
    drop function public.${l.list_titles}, public.${l.list_pairs}, public.${l.add_book},
      public.${l.take_body}, public.${l.join_words}, public.${l.facts_of}, public.${l.lie};
    drop table public.${l.authors}, public.${l.books}, public.${l.reviews} cascade;
  `)
}
