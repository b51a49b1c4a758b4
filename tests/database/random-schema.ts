/**
 * Generates random tables, views and functions that an owner could create in schema `public`. The table API must serve
 * these objects without knowing them in advance. A test in this folder and `npm run nightly` use these schemas.
 */
import fc from 'fast-check'
import { functionOf } from './random-function.ts'
import { type Made, type Spec, functionForms, tableForms, viewForms } from './random-object.ts'
import { tablesOf } from './random-table.ts'
import { viewsOf } from './random-view.ts'

/** SQL that creates types with unusual names and shapes. This SQL must run once in each database. */
export const ownTypes = `
  create schema kinds; grant usage on schema kinds to public;
  create type kinds."Mood ""x""" as enum ('a', 'B c', 'd"e');
  create domain kinds."d.om" as integer default 7 check (value > 0);
  create domain kinds.twice as kinds."d.om" not null;
  create type kinds."pa ir" as (a integer, "b ""c""" text, d char(3));
  create domain kinds.pairs as kinds."pa ir";
  create domain kinds.listed as integer[];
  create type kinds.span as range (subtype = integer);
  create foreign data wrapper nothing; create server nowhere foreign data wrapper nothing;
  grant usage on foreign server nowhere to public;`

const types = [
  ...'smallint integer bigint numeric numeric(8,2) real double_precision boolean text varchar varchar(5)'.split(
    ' ',
  ),
  ...'char char(3) bit bit(3) bit_varying(4) uuid date time timetz timestamp timestamptz(3) interval json'.split(
    ' ',
  ),
  ...'jsonb bytea inet cidr macaddr point box int4range tstzrange tsvector tsquery xml money oid name "char"'.split(
    ' ',
  ),
  ...'integer[] text[][] char(3)[] numeric(8,2)[] json[] timestamptz[] regclass void_'
    .split(' ')
    .slice(0, -1),
].map((type) => type.replace('_', ' '))
const named = [
  '"Mood ""x"""',
  '"d.om"',
  'twice',
  '"pa ir"',
  'pairs',
  'listed',
  'span',
  '"Mood ""x"""[]',
  '"pa ir"[]',
]
const typeName = fc.constantFrom(...types, ...named.map((name) => `kinds.${name}`))

const words = fc.constantFrom(
  ...'plain CamelCase t body page written called element object result count order select limit and 123'.split(
    ' ',
  ),
  ...`quo"te|back\\slash|do.t|com,ma|par(en)|with space|ünï|a:b|*|it's|%|-|->>|😀|__proto__|constructor|{}|$1|?`.split(
    '|',
  ),
  'ж'.repeat(29),
  'x'.repeat(58),
)

const columns = fc.uniqueArray(fc.tuple(words, typeName), { maxLength: 5, selector: ([word]) => word })
const spec: fc.Arbitrary<Spec> = fc.oneof(
  fc.record({
    kind: fc.constant('table' as const),
    word: words,
    columns,
    form: fc.constantFrom(...tableForms),
    to: fc.nat(),
  }),
  fc.record({
    kind: fc.constant('view' as const),
    word: words,
    form: fc.constantFrom(...viewForms),
    of: fc.nat(),
  }),
  fc.record({
    kind: fc.constant('function' as const),
    word: words,
    form: fc.constantFrom(...functionForms),
    parameters: columns,
    of: fc.nat(),
  }),
)

/** Generates random schemas. A schema is a list of objects, which may depend on objects earlier in the list. */
export const randomSchemas: fc.Arbitrary<readonly Made[]> = fc
  .array(spec, { minLength: 4, maxLength: 10 })
  .map((specs) => {
    const made: Made[] = []
    for (const [index, each] of specs.entries()) made.push(...objectsOf(each, `${each.word}_${index}`, made))
    return made
  })

function objectsOf(each: Spec, name: string, made: readonly Made[]): Made[] {
  if (each.kind === 'table') return tablesOf(each, name, made)
  return each.kind === 'view' ? viewsOf(each, name, made) : [functionOf(each, name, made)]
}
