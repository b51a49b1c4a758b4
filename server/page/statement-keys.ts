/** Serves the public keys that verify statements. Anyone can read them without an account. */
import type { FastifyPluginCallback } from 'fastify'
import { type StatementKeys, statementKeysPath } from '@finanzas/contract/statement/signature.ts'
import { type Database, DatabaseBusy, isOutage } from '#database/database.ts'
import { readStatementKeys } from '#database/statement-keys.ts'
import { retryAfterSeconds } from '#http/wire-error.ts'

export function statementKeys(database: Database): FastifyPluginCallback {
  return (app, _options, done) => {
    // Does not use a rate limit. Instead, one read of the database answers all requests that arrive during the read.
    let reading: Promise<StatementKeys> | null = null
    const read = () =>
      (reading ??= readStatementKeys(database).finally(() => {
        reading = null
      }))

    app.get(statementKeysPath, async (_request, reply) => {
      void reply.header('access-control-allow-origin', '*')
      try {
        return await reply.send(await read())
      } catch (error) {
        if (!(error instanceof DatabaseBusy) && !isOutage(error)) throw error
        return reply.code(503).header('retry-after', retryAfterSeconds).send({ error: 'unavailable' })
      }
    })
    done()
  }
}
