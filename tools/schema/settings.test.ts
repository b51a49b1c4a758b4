/** A custom setting of the database session is a parameter that no signature shows. This test lists all of them. */
import { expect, test } from 'vitest'
import { readTree } from '#tools/tree.ts'

const places = readTree()
  .filter(({ path }) => /^(?:server|supabase\/(?:schemas|functions))\/.*(?<!\.test)\.(?:sql|ts)$/.test(path))
  // The assembled migration itself keeps the grants of new functions in a setting.
  .filter(({ path }) => !/^supabase\/schemas\/ground\/(?:begin|end)\.sql$/.test(path))
  .flatMap(({ path, text }) =>
    [...text.matchAll(/(current_setting|set_config)\(\s*'(\w+\.[\w.]+)'/g)].map(([, call, setting]) => ({
      path,
      call,
      setting,
    })),
  )

/** The table API counts the rows of one statement. No other function reads these counts. */
const counts = /^rest\./

test('functions of the database share three custom settings', () => {
  const settings = places.map(({ setting = '' }) => setting).filter((setting) => !counts.test(setting))

  expect([...new Set(settings)].toSorted()).toEqual([
    'audit.context',
    'realtime.skip_table',
    'request.jwt.claims',
  ])
})

test('only the server and one function say who acts', () => {
  const writers = places.filter(({ call, setting }) => call === 'set_config' && setting === 'audit.context')

  expect(writers.map(({ path }) => path)).toEqual([
    'server/database/scope.ts',
    'supabase/schemas/audit/functions.sql',
  ])
})

test('only the table API reads its counts of rows', () => {
  const files = places.filter(({ setting = '' }) => counts.test(setting)).map(({ path }) => path)

  expect([...new Set(files)]).toEqual(['server/database/platform/0009_rest.sql'])
})
