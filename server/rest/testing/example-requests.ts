/**
 * Generates random requests of three kinds: requests that follow the grammar, the same requests with some characters
 * replaced, and random characters. The fuzz test in this folder and `npm run nightly` use these requests.
 */
import fc from 'fast-check'

/** The names that requests use: tables with their columns, and embeds for the select list. */
export type Named = {
  readonly tables: readonly { readonly name: string; readonly columns: readonly string[] }[]
  readonly embeds: readonly string[]
}

/** A request to the table API. `path` is relative to the API's prefix and begins with a slash. */
export type FuzzRequest = {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

const words = (text: string) => text.split(' ')

const values = fc.oneof(
  fc.constantFrom(
    ...words('1 0 -1 1e999 NaN null true 2026-11-21 12.50 99999999999999999999 0x1F 1_000 {a,b} {"a":1} * %'),
    '',
    '9'.repeat(200),
    // Well-formed dates and times that every column refuses, because the day, the offset or the year does not
    // exist.
    ...words('2026-02-31 2026-11-21T00:00:00+20:00 0000-01-01 294277-01-01'),
  ),
  fc.constantFrom(
    `'; drop table transactions; --`,
    '(select 1)',
    '\u0000',
    ...words(`$1 " \\ ' pg_sleep(10) 😀 .. a&b`),
  ),
  fc.uuid(),
  fc.double().map(String),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
)
const rightOperators = words(
  'eq neq gt gte lt lte like ilike isdistinct not.eq not.like not.gt eq(any) like(all) cs cd ov',
)
const wrongOperators = words('fts phfts(none) match in is not.is sl foo eq(some)')
const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`

/**
 * Generates requests that follow the grammar. Three out of four requests are correct, and the other requests may
 * contain wrong parts.
 */
function grammarRequests(named: Named): fc.Arbitrary<FuzzRequest> {
  return fc.oneof(
    { weight: 3, arbitrary: builtRequests(named, 0) },
    { weight: 1, arbitrary: builtRequests(named, 1) },
  )
}

/** The parts from which requests to one table are built. If `wrong` is 0, all parts are correct. */
type Parts = {
  readonly table: string
  readonly columns: readonly string[]
  readonly embeds: readonly string[]
  readonly wrong: 0 | 1
  /** Chooses one of the correct parts, or also one of the others if parts may be wrong. */
  readonly orWrong: <T>(right: readonly T[], others: readonly T[]) => fc.Arbitrary<T>
}

/**
 * If `wrong` is 0, builds requests only from correct parts, so that only the database can refuse them. If `wrong`
 * is 1, some parts may be wrong.
 */
function builtRequests({ tables, embeds }: Named, wrong: 0 | 1): fc.Arbitrary<FuzzRequest> {
  const orWrong = <T>(right: readonly T[], others: readonly T[]) =>
    fc.constantFrom(...right, ...(wrong === 0 ? [] : others))
  return fc.constantFrom(...tables).chain(({ name, columns }) => {
    const parts: Parts = { table: name, columns, embeds, wrong, orWrong }
    const body = bodies(parts)
    const texts = fc.oneof(
      body.map((each) => JSON.stringify(each)),
      ...(wrong === 0
        ? []
        : [fc.array(body, { maxLength: 3 }).map((each) => JSON.stringify(each)), fc.string()]),
    )
    const methods = fc.oneof(
      { weight: 8, arbitrary: fc.constant('GET') },
      { weight: 4, arbitrary: orWrong(['HEAD', 'POST', 'PATCH', 'DELETE'], ['PUT']) },
    )
    return fc
      .tuple(methods, searches(parts), headerSets(parts), texts)
      .map(([method, query, given, text]) => ({
        method,
        path: `/${name}${query === '' ? '' : `?${query}`}`,
        headers: given as Record<string, string>,
        body: ['POST', 'PATCH', 'PUT'].includes(method) ? text : null,
      }))
  })
}

/** Builds the query strings. */
function searches(parts: Parts): fc.Arbitrary<string> {
  const { columns, orWrong } = parts
  const column = columnsOf(parts)
  const [tree, filter, item] = [trees(parts, column), filters(parts, column), items(parts, column)]
  const order = fc
    .tuple(column, orWrong(['', '.asc', '.desc', '.desc.nullslast', '.nullsfirst'], ['.up']))
    .map((pair) => pair.join(''))
  const parameters = fc.record({
    select: fc.option(fc.array(item, { minLength: 1, maxLength: 4 }).map((list) => list.join(','))),
    filters: fc.array(filter, { maxLength: 3 }),
    tree: fc.option(
      fc.tuple(fc.constantFrom('and', 'or', 'not.or'), fc.array(tree, { minLength: 1, maxLength: 3 })),
    ),
    order: fc.option(fc.array(order, { minLength: 1, maxLength: 3 }).map((list) => list.join(','))),
    limit: fc.option(orWrong(['0', '1', '5', '1000000'], ['-1', 'x', '99999999999999999999'])),
    offset: fc.option(orWrong(['0', '1', '100000'], ['-1', '1.5'])),
    on_conflict: fc.option(orWrong(columns.slice(0, 2), ['user_id,id', 'nothing'])),
    columns: fc.option(orWrong(columns.slice(0, 2), ['user_id,id', '"no""thing"'])),
  })
  return parameters.map((given) => {
    const query = new URLSearchParams()
    if (given.select !== null) query.append('select', given.select)
    for (const [left, right] of given.filters) query.append(left, right)
    if (given.tree !== null) query.append(given.tree[0], `(${given.tree[1].join(',')})`)
    for (const word of ['order', 'limit', 'offset', 'on_conflict', 'columns'] as const) {
      const value = given[word]
      if (value !== null) query.append(word, value)
    }
    return query.toString()
  })
}

/** Builds the names of columns. */
function columnsOf({ columns, wrong }: Parts): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom(...columns) },
    { weight: wrong, arbitrary: values.map(quoted) },
    {
      weight: wrong,
      arbitrary: fc.constantFrom(...words('auth.users ctid xmin tableoid oid * __proto__')),
    },
  )
}

/** Builds pairs of a name and a condition. */
function filters({ columns, embeds, wrong, orWrong }: Parts, column: fc.Arbitrary<string>) {
  const operators = orWrong(rightOperators, wrongOperators)
  const test = fc.oneof(
    fc.tuple(operators, values).map(([operator, value]) => `${operator}.${value}`),
    fc.array(values.map(quoted), { maxLength: 5 }).map((list) => `in.(${list.join(',')})`),
    orWrong(['is.null', 'not.is.null', 'is.not_null'], ['is.true', 'is.unknown', 'is.none']),
  )
  // The left side of a filter on an embed. The filter applies to the embedded rows, or tests whether any rows were
  // embedded.
  const embedded = fc
    .tuple(fc.constantFrom(...embeds), fc.constantFrom('', ...columns.map((each) => `.${each}`)))
    .map(([embed, rest]) => `${embed.split(/[!(]/, 1)[0]}${rest}`)
  return fc.tuple(fc.oneof({ weight: 5, arbitrary: column }, { weight: wrong, arbitrary: embedded }), test)
}

/** Builds logic trees. */
function trees({ orWrong }: Parts, column: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const operators = orWrong(rightOperators, wrongOperators)
  const { tree } = fc.letrec<{ tree: string; leaf: string }>((tie) => ({
    leaf: fc
      .tuple(column, operators, values.map(quoted))
      .map(([left, operator, value]) => `${left}.${operator}.${value}`),
    tree: fc.oneof(
      { maxDepth: 3 },
      tie('leaf'),
      fc
        .tuple(
          fc.constantFrom('and', 'or', 'not.and', 'not.or'),
          fc.array(tie('tree'), { minLength: 1, maxLength: 3 }),
        )
        .map(([joiner, members]) => `${joiner}(${members.join(',')})`),
    ),
  }))
  return tree
}

/** Builds entries of a select list. */
function items({ table, embeds, wrong, orWrong }: Parts, column: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof(
    column,
    fc.tuple(values.map(quoted), column).map((pair) => pair.join(':')),
    fc
      .tuple(column, orWrong(['text'], ['integer', 'numeric', 'regclass', 'json']))
      .map((pair) => pair.join('::')),
    orWrong(
      ['*'],
      [...embeds, ...words('count() amount.sum() nothing(*) ...profiles(id)'), `${table}.count()`],
    ),
    fc.tuple(column, values.map(quoted)).map(([each, key]) => `${each}->${key}->0->>${key}::integer`),
    // Correct requests do not embed a random table, because most pairs of tables have no relationship.
    ...(wrong === 0 ? [] : [fc.constantFrom(...embeds)]),
  )
}

function headerSets({ orWrong }: Parts) {
  return fc.record(
    {
      accept: orWrong(
        words(
          'application/json text/csv application/vnd.pgrst.object+json */* application/json;nulls=stripped',
        ),
        ['application/vnd.pgrst.plan', 'x'],
      ),
      prefer: fc
        .array(
          orWrong(
            words(
              'count=exact count=planned return=representation return=minimal resolution=merge-duplicates missing=default max-affected=1',
            ),
            ['handling=strict', 'tx=rollback'],
          ),
          { minLength: 1, maxLength: 3 },
        )
        .map((list) => list.join(',')),
      range: orWrong(['0-4', '0-'], ['5-2', '-', 'bytes=0-1']),
    },
    { requiredKeys: [] },
  )
}

function bodies({ columns, wrong }: Parts) {
  return fc.dictionary(
    fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...columns) },
      { weight: wrong, arbitrary: fc.string({ maxLength: 5 }) },
    ),
    fc.oneof(values, fc.json(), fc.integer()),
    { maxKeys: 5 },
  )
}

/** Generates requests of all three kinds. */
export function fuzzRequests(named: Named): fc.Arbitrary<FuzzRequest> {
  const right = grammarRequests(named)
  const changed = fc
    .tuple(
      right,
      fc.array(fc.tuple(fc.nat(), fc.constantFrom(...`().,:->*"'\\{}%&=$!0;| `)), {
        minLength: 1,
        maxLength: 3,
      }),
    )
    .map(([request, changes]) => ({
      ...request,
      path: changes.reduce((path, [at, character]) => {
        const place = 1 + (at % path.length)
        return path.slice(0, place) + encodeURIComponent(character) + path.slice(place + 1)
      }, request.path),
    }))
  const characters = fc
    .tuple(
      fc.constantFrom(...named.tables),
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.constantFrom('GET', 'PATCH', 'DELETE'),
    )
    .map(([{ name }, text, method]) => ({
      method,
      path: `/${name}?${encodeURIComponent(text.toWellFormed()).replaceAll('%3D', '=').replaceAll('%26', '&')}`,
      headers: {},
      body: method === 'PATCH' ? '{}' : null,
    }))
  return fc.oneof(
    { weight: 6, arbitrary: right },
    { weight: 3, arbitrary: changed },
    { weight: 1, arbitrary: characters },
  )
}
