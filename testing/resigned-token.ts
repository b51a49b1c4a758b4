/** Signs tokens with changed claims, which normally only the server can do. */
import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Changes claims of a token, and signs the token again with the secret of the bank in `dataDirectory`. */
export async function resignToken(
  dataDirectory: string,
  token: string,
  changes: Record<string, unknown>,
): Promise<string> {
  const secrets = await readFile(join(dataDirectory, 'secrets.json'), 'utf8')
  const { jwtSecret } = JSON.parse(secrets) as { jwtSecret: string }
  const [header = '', payload = ''] = token.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>
  const changed = Buffer.from(JSON.stringify({ ...claims, ...changes })).toString('base64url')
  const signature = createHmac('sha256', jwtSecret).update(`${header}.${changed}`).digest('base64url')
  return `${header}.${changed}.${signature}`
}
