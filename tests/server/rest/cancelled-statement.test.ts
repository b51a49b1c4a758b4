// A statement that PostgreSQL cancelled is answered as it is: executed again, it would take its five seconds twice.
import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { type Database, type RowsOf, SqlError, type SqlStatement } from '#server/database/database.ts'
import { catalogueStatement } from '#server/rest/schema/read-schema.ts'
import { restSurface } from '#server/rest/surface.ts'
import { TokenKey } from '#server/tokens/access-token.ts'
import { deriveApiKeys } from '#server/tokens/api-keys.ts'
import { catalogueFunction, catalogueTable } from './example-schema.ts'

test.each([
  ['POST', '/rpc/never_ends'],
  ['GET', '/books'],
] as const)('%s %s is executed once when the database cancels it', async (method, url) => {
  const executed: string[] = []
  const database: Database = {
    engine: 'postgres',
    async transaction<const S extends readonly SqlStatement<unknown>[]>(_scope: unknown, statements: S) {
      if (statements[0] !== catalogueStatement) {
        executed.push(...statements.map(({ text }) => text))
        throw new SqlError({ message: 'canceling statement due to statement timeout', sqlState: '57014' })
      }
      const keys = { primary: [], foreign: [], constraint_messages: {} }
      const tables = [catalogueTable(1, 'books', ['id uuid'])]
      return [[{ tables, keys, functions: [catalogueFunction('never_ends', [])] }]] as unknown as RowsOf<S>
    },
    running: () => 0,
    onWrite: () => undefined,
    close: async () => undefined,
  }
  const tokenKey = await TokenKey.of('a secret of more than thirty-two characters', {
    siteUrl: 'https://banco.example',
  })
  const apiKeys = { ...(await deriveApiKeys(tokenKey)), accepted: null }
  const app = fastify()
  void app.register(restSurface({ database, tokenKey, apiKeys }))

  const answer = await app.inject({ method, url, headers: { apikey: apiKeys.anonKey } })

  expect([answer.statusCode, answer.json()]).toEqual([500, expect.objectContaining({ code: '57014' })])
  expect(executed).toHaveLength(1)
})
