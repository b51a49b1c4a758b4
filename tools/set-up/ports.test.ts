/** A port that is taken is said before a first start installs anything. */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { onTestFinished, test, expect } from 'vitest'

/** Runs the first part of set-up as npm does before a script, in a folder without packages. */
function before(script: string, variables: Record<string, string>) {
  const program = "import('./ports.mjs').then((m) => m.checkPorts())"
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
    env: { npm_lifecycle_event: script, ...variables },
  })
  return { status, stderr }
}

test('before a server starts its ports are tried, before anything else none is', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  const { port } = other.address() as AddressInfo

  for (const name of ['PORT', 'METRICS_PORT']) {
    const refused = before('prestart', { [name]: String(port), ...(name === 'PORT' ? {} : { PORT: '0' }) })

    expect(refused.status).toBe(1)
    expect(refused.stderr).toContain(`another program uses port ${port}.`)
    expect(refused.stderr).toContain(`${name}=${port + 1} npm start`)
  }
  expect(before('prebuild:hosted', { PORT: String(port) })).toEqual({ status: 0, stderr: '' })
  expect(before('prestart', { PORT: 'http' })).toEqual({ status: 0, stderr: '' })
})
