// The edge runtime of a hosted project: Deno runs the entry point of each function in `supabase/functions`, with the
// import map set in config.toml. A gateway forwards `/functions/v1/<name>` to the function, and all other requests to
// our server, which stands in for the rest of the project. Like the platform's gateway, this gateway answers requests
// for missing functions with a 404 and does not forward these requests.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { freePort } from '#testing/ports.ts'
import { findDeno } from './programs.ts'

const root = path.join(import.meta.dirname, '../..')
const functionsFolder = path.join(root, 'supabase/functions')
const functionNames = ['delete-account', 'manage-transactions', 'manage-users', 'statement']
const startWaitMs = 30_000

/** A project whose functions run in Deno. */
export type EdgeProject = {
  readonly url: string
  stop(): Promise<void>
}

/**
 * Starts the functions, and a gateway that forwards requests to them and to the server at `url`. `variables` are
 * the environment variables that the platform would set.
 */
export async function startEdgeProject({
  url,
  variables,
}: {
  readonly url: string
  readonly variables: Readonly<Record<string, string>>
}): Promise<EdgeProject> {
  const directory = await mkdtemp(path.join(tmpdir(), 'finanzas-edge-'))
  const running: ChildProcess[] = []
  const ports = new Map<string, number>()
  const stop = async () => {
    gateway.close()
    gateway.closeAllConnections()
    await Promise.all(running.map(end))
    await rm(directory, { recursive: true, force: true })
  }
  const gateway = createServer((incoming, outgoing) => {
    const name = /^\/functions\/v1\/([^/?]+)/.exec(incoming.url ?? '')?.[1]
    const port = name === undefined ? Number(new URL(url).port) : ports.get(name)
    if (port === undefined) {
      outgoing.writeHead(404, { 'content-type': 'text/plain' }).end('Function not found')
      return
    }
    const { method, headers, url: asked } = incoming
    const sent = forward({ port, host: '127.0.0.1', method, headers, path: asked }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    sent.on('error', () => outgoing.headersSent || outgoing.writeHead(502).end())
    outgoing.on('error', () => sent.destroy())
    incoming.pipe(sent)
  })
  try {
    for (const name of functionNames) {
      const port = await freePort()
      running.push(await startFunction({ name, port, directory, variables }))
      ports.set(name, port)
    }
    await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve))
    return { url: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startFunction(options: {
  readonly name: string
  readonly port: number
  readonly directory: string
  readonly variables: Readonly<Record<string, string>>
}): Promise<ChildProcess> {
  const { name, port, directory, variables } = options
  const deno = findDeno()
  if (deno === undefined) throw new Error('Deno is not installed: npm ci --prefix testing/hosted/packages')
  const program = spawn(
    deno,
    [
      'run',
      '--no-lock',
      '--cached-only',
      '--node-modules-dir=manual',
      '--config',
      path.join(functionsFolder, 'deno.json'),
      '--allow-env',
      '--allow-net=127.0.0.1',
      path.join(functionsFolder, name, 'index.ts'),
    ],
    {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...variables,
        HOME: directory,
        DENO_DIR: path.join(directory, 'deno', name),
        DENO_NO_UPDATE_CHECK: '1',
        DENO_SERVE_ADDRESS: `tcp:127.0.0.1:${port}`,
      },
    },
  )
  await untilAnswering(name, port, program).catch(async (error: unknown) => {
    await end(program)
    throw error
  })
  return program
}

async function untilAnswering(name: string, port: number, program: ChildProcess): Promise<void> {
  const deadline = Date.now() + startWaitMs
  while (Date.now() < deadline) {
    if (program.exitCode !== null)
      throw new Error(`${name} ended with ${program.exitCode} before it answered.`)
    const answer = await fetch(`http://127.0.0.1:${port}`, { method: 'OPTIONS' }).catch(() => null)
    if (answer?.status === 204) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`${name} did not answer after ${startWaitMs} ms.`)
}

async function end(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return
  const ended = once(program, 'exit')
  program.kill('SIGKILL')
  await ended
}
