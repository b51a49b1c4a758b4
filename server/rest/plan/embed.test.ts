// Tests which foreign key an embed uses. Covers the cases of PostgREST's function findRel that plan.test.ts does not
// cover.
import { expect, test } from 'vitest'
import { parseRequest } from '#rest/parse/parse.ts'
import { planRequest } from './plan.ts'
import { schemaOf } from '#rest/schema/read-schema.ts'
import { catalogueTable, rawRequest } from '#rest/testing/example-schema.ts'

const shows = (...columns: readonly (readonly [table: number, column: number])[]) =>
  `({QUERY :targetList (${columns.map(([table, column], index) => `{TARGETENTRY :resno ${index + 1} :resorigtbl ${table} :resorigcol ${column}}`).join(' ')})})`

/**
 * The foreign keys include each staff member's boss, each country's only capital and each project's client. Several
 * views contain these key columns.
 */
const schema = schemaOf({
  tables: [
    catalogueTable(1, 'staff', ['id integer', 'boss integer']),
    catalogueTable(2, 'country', ['id integer', 'name text']),
    catalogueTable(3, 'capital', ['id integer', 'country integer']),
    catalogueTable(4, 'clients', ['id integer', 'name text']),
    catalogueTable(5, 'projects', ['id integer', 'client integer', 'status integer']),
    { ...catalogueTable(6, 'client_view', ['id integer']), viewQuery: shows([4, 1]) },
    {
      ...catalogueTable(7, 'twice', ['one integer', 'two integer']),
      viewQuery: shows([5, 2], [5, 2]),
    },
    catalogueTable(8, 'statuses', ['id integer']),
    { ...catalogueTable(9, 'both', ['staff integer', 'client integer']), viewQuery: shows([1, 1], [4, 1]) },
    {
      ...catalogueTable(10, 'reversed', ['client integer', 'staff integer']),
      viewQuery: shows([4, 1], [1, 1]),
    },
    catalogueTable(11, 'agents', ['id integer', 'department integer']),
    catalogueTable(12, 'departments', ['id integer', 'head integer']),
  ],
  keys: {
    constraintMessages: {},
    primary: [1, 2, 3, 4, 5, 8, 11, 12].map((table) => ({ table, columns: [1] })),
    foreign: (
      [
        ['agents_department', 11, 2, 12],
        ['departments_head', 12, 2, 11],
        ['staff_boss', 1, 2, 1],
        ['capital_country', 3, 2, 2],
        ['projects_client', 5, 2, 4],
        ['projects_status', 5, 3, 8],
      ] as const
    ).map(([name, table, column, target]) => ({
      name,
      table,
      columns: [column],
      target,
      targetColumns: [1],
      isUnique: name === 'capital_country',
    })),
  },
  functions: [],
})

const levelOf = (address: string) => {
  const planned = planRequest(schema, parseRequest(rawRequest(address)))
  if (planned.action !== 'read') throw new Error('A GET is planned as a read.')
  return planned.level
}
const wayOf = (address: string) =>
  levelOf(address).selection.map(
    (entry) => entry.kind === 'embed' && [entry.relationship.pairs[0]?.here.name, entry.relationship.isToOne],
  )

test.each([
  ['staff?select=staff(*)', ['id', false]],
  ['staff?select=team:staff!boss(*)', ['id', false]],
  ['staff?select=boss(*)', ['boss', true]],
  ['country?select=capital!id(*)', ['id', true]],
  ['capital?select=country!country(*)', ['country', true]],
  ['projects?select=client(*)', ['client', true]],
  ['projects?select=projects_client(*)', ['client', true]],
  ['projects?select=client_view(*)', ['client', true]],
  ['projects?select=client_view!client(*)', ['client', true]],
  ['twice?select=clients!two(*)', ['two', true]],
])('embed %s follows %s', (address, way) => {
  expect(wayOf(address)).toEqual([way])
})

test.each([
  ['staff?select=staff!staff_boss(*)', 'PGRST200'],
  ['staff?select=staff_boss(*)', 'PGRST200'],
  ['staff?select=staff!id(*)', 'PGRST200'],
  ['twice?select=clients(*)', 'PGRST201'],
  ['projects?select=count', 'PGRST123'],
  ['clients?select=projects(count)', 'PGRST123'],
  ['projects?select=statuses(*)&statuses=eq.1', 'PGRST120'],
  ['projects?select=statuses(*)&statuses=is.not_null', 'PGRST120'],
])('%s is refused with %s', (address, code) => {
  expect(() => levelOf(address)).toThrow(expect.objectContaining({ code }))
})

test('the error for an ambiguous embed lists the to-many relationships first', () => {
  expect(() => levelOf('agents?select=departments(*)')).toThrow(
    expect.objectContaining({
      fields: {
        details: [
          expect.objectContaining({ cardinality: 'one-to-many' }),
          expect.objectContaining({ cardinality: 'many-to-one' }),
        ],
        hint: expect.stringContaining("'departments!departments_head', 'departments!agents_department'"),
      },
    }),
  )
})

test('if a column and an embed have the same name, a filter applies to the column unless it tests for null', () => {
  expect(levelOf('projects?select=*,status(*)&status=eq.3').conditions).toMatchObject([
    { kind: 'filter', field: { column: { name: 'status' } } },
  ])
  expect(levelOf('projects?select=*,status(*)&status=not.is.null').conditions).toEqual([
    { kind: 'embed', entry: 3, isPresent: true },
  ])
})

test('a filter can refer to an embedded table by its alias or its name', () => {
  for (const name of ['of', 'clients']) {
    const [embed] = levelOf(`projects?select=of:clients(id)&${name}.id=eq.1`).selection
    expect(embed?.kind === 'embed' && embed.level.conditions).toHaveLength(1)
  }
})

test('the primary key of a view on two tables consists of both primary keys', () => {
  expect(schema.tables.get('both')?.primaryKey.map(({ name }) => name)).toEqual(['staff', 'client'])
})

test('the URL of a new row lists the key columns in the view’s column order', () => {
  const request = rawRequest('reversed', {
    method: 'POST',
    body: '{"staff":1}',
    headers: { prefer: 'return=headers-only' },
  })
  const planned = planRequest(schema, parseRequest(request))

  expect(planned.action === 'insert' && planned.returning?.selection.map(({ key }) => key)).toEqual([
    'client',
    'staff',
  ])
})

test('a view that repeats key columns many times has a limited number of relationships', () => {
  const many = Array.from({ length: 1600 }, (_, index) => `c${index} integer`)
  const { tables } = schemaOf({
    tables: [
      catalogueTable(1, 'a', ['x integer', 'y integer']),
      {
        ...catalogueTable(2, 'wide', many),
        viewQuery: shows(...many.map((_, at) => [1, (at % 2) + 1] as const)),
      },
    ],
    keys: {
      constraintMessages: {},
      primary: [{ table: 1, columns: [1, 2] }],
      foreign: [{ name: 'k', table: 1, columns: [1, 2], target: 1, targetColumns: [1, 2], isUnique: true }],
    },
    functions: [],
  })

  expect(tables.get('wide')?.relationships.length).toBeLessThan(1000)
})
