/** A token as the server would have signed it, had it had something else to say. */
import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'

/** The token with these claims changed, signed again with the server's own key. */
export async function resigned(token: string, changes: Record<string, unknown>): Promise<string> {
  const secrets = await readFile(join(inject('server').dataDir, 'secrets.json'), 'utf8')
  const { jwtSecret } = JSON.parse(secrets) as { jwtSecret: string }
  const [header = '', payload = ''] = token.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>
  const changed = Buffer.from(JSON.stringify({ ...claims, ...changes })).toString('base64url')
  const signature = createHmac('sha256', jwtSecret).update(`${header}.${changed}`).digest('base64url')
  return `${header}.${changed}.${signature}`
}
