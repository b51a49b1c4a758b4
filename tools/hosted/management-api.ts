// A stand-in of the platform's management API, as far as `supabase functions deploy` and `config push` speak to it
// (https://api.supabase.com/api/v1): it takes what it is given and remembers it.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A function as it was deployed. */
export type DeployedFunction = {
  /** Path of the file that is started, among `files`. */
  readonly entrypoint: string
  readonly importMap: string
  readonly files: ReadonlyMap<string, Uint8Array>
}

export type ManagementApi = {
  readonly url: string
  /** What was deployed, by name. */
  readonly functions: ReadonlyMap<string, DeployedFunction>
  /** Every other request that changes something, in order. */
  readonly changes: readonly { readonly method: string; readonly path: string; readonly body: unknown }[]
  close(): void
}

/** Starts one on a port of loopback; `answers` are given to GET, by the path behind the project. */
export async function startManagementApi(
  answers: Readonly<Record<string, unknown>> = {},
): Promise<ManagementApi> {
  const functions = new Map<string, DeployedFunction>()
  const changes: { method: string; path: string; body: unknown }[] = []

  const answer = async (request: IncomingMessage): Promise<unknown> => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://platform.local')
    const path = pathname.replace(/^\/v[12]\/projects\/[^/]+/, '')
    if (request.method === 'GET') return answers[path] ?? (path === '/functions' ? [] : {})
    const body = await readBody(request)
    if (path !== '/functions/deploy') {
      const sent = JSON.parse(body.toString()) as Record<string, unknown>
      changes.push({ method: request.method ?? '', path, body: sent })
      // The CLI wants the whole of the table API's settings back, and of auth's more than is told here: it stops after that.
      return {
        ...sent,
        db_pool: null,
        db_pool_acquisition_timeout: 10,
        db_pool_max_idletime: 30,
        db_pool_max_lifetime: 1800,
      }
    }
    const name = searchParams.get('slug') ?? ''
    functions.set(name, await readDeployment(request, body))
    const at = 1
    return { id: name, slug: name, name, status: 'ACTIVE', version: 1, created_at: at, updated_at: at }
  }
  const server = createServer((request, response) => {
    answer(request).then(
      (body) =>
        response
          .writeHead(request.url?.includes('/functions/deploy') ? 201 : 200, {
            'content-type': 'application/json',
          })
          .end(JSON.stringify(body)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    functions,
    changes,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

/** Files and metadata of a `multipart/form-data` body. */
async function readDeployment(request: IncomingMessage, body: Buffer): Promise<DeployedFunction> {
  const headers = { 'content-type': request.headers['content-type'] ?? '' }
  const form = await new Response(new Uint8Array(body), { headers }).formData()
  const metadata = JSON.parse(textOf(form.get('metadata'))) as {
    entrypoint_path: string
    import_map_path: string
  }
  const files = form.getAll('file').filter((entry) => typeof entry !== 'string')
  return {
    entrypoint: metadata.entrypoint_path,
    importMap: metadata.import_map_path,
    files: new Map(
      await Promise.all(
        files.map(async (file) => [file.name, new Uint8Array(await file.arrayBuffer())] as const),
      ),
    ),
  }
}

/** The text of a field that is no file. */
function textOf(field: ReturnType<FormData['get']>): string {
  return typeof field === 'string' ? field : ''
}
