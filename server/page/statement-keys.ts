/** Serves the public keys with which statements can be verified. Anyone can read these keys without an account. */
import type { FastifyPluginCallback } from 'fastify'
import { type StatementKeys, statementKeysPath } from '@finanzas/contract/papers/signature.ts'
import { type Database, DatabaseBusy, isOutage } from '#database/database.ts'
import { readStatementKeys } from '#database/statement-keys.ts'
import { retryAfterSeconds } from '#http/wire-error.ts'

export function statementKeys(database: Database): FastifyPluginCallback {
  return (app, _options, done) => {
    // This endpoint has no rate limit. Instead, one database read answers all requests that arrive while the read is
    // running.
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
