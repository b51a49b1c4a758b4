import { inject } from 'vitest'
import { resignToken } from '#testing/resigned-token.ts'

/** Changes claims of a token and signs the token again with the server's secret. */
export function resigned(token: string, changes: Record<string, unknown>): Promise<string> {
  return resignToken(inject('server').dataDir, token, changes)
}
