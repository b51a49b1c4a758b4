// What an operator copies from `deploy` fits the server: its settings, paths and times.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { root } from './tree.ts'

const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8')
const captures = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, first = '']) => first)
const variables = new Set([
  'NODE_ENV',
  ...captures(textOf('server/config.ts'), /\benv(?:\[|,\s*)'([A-Z][A-Z0-9_]*)'/g),
])
const unknownAmong = (names: readonly string[]) => names.filter((name) => !variables.has(name))

describe('the Dockerfile', () => {
  const lines = textOf('deploy/Dockerfile').split('\n')
  const lastStage = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')))
  const copied = lines
    .filter((line) => line.startsWith('COPY ') && !line.includes('--from'))
    .flatMap((line) => line.split(' ').slice(1, -1))

  test('copies files that exist and that the build is given', () => {
    const given = captures(textOf('deploy/Dockerfile.dockerignore'), /^!(.+)$/gm)

    expect(copied.filter((file) => !existsSync(path.join(root, file)))).toEqual([])
    expect(copied.filter((file) => !given.some((one) => `${file}/`.startsWith(`${one}/`)))).toEqual([])
    expect(given.filter((one) => !copied.includes(one))).toEqual([])
  })

  test('runs the command of npm start as an ordinary user, without a secret', () => {
    const command = JSON.parse(
      lastStage.find((line) => line.startsWith('CMD '))?.slice(4) ?? '[]',
    ) as string[]

    expect(lastStage.filter((line) => line.startsWith('USER '))).toEqual(['USER node'])
    expect(JSON.parse(textOf('package.json')).scripts.start).toBe(command.join(' '))
    expect(lastStage.join('\n')).not.toMatch(/SECRET|PASSWORD/)
    expect(
      unknownAmong(captures(lines.filter((line) => line.startsWith('ENV ')).join('\n'), /(\w+)=/g)),
    ).toEqual([])
  })
})

describe('the compose file', () => {
  type Service = {
    environment?: Record<string, string>
    stop_grace_period?: string
    volumes?: string[]
    ports?: string[]
  }
  const { services } = parse(textOf('deploy/compose.yaml'), { merge: true }) as {
    services: Record<string, Service>
  }
  const servers = Object.entries(services).filter(([name]) => name.startsWith('server-'))

  test('has two servers that see one database and one signing key, and may write nowhere but in their data', () => {
    expect(servers).toHaveLength(2)
    for (const [, { environment = {}, ...service }] of servers) {
      expect(unknownAmong(Object.keys(environment))).toEqual([])
      // The owner of the database, not the superuser.
      expect(environment['DATABASE_URL']).toMatch(
        /^postgres:\/\/finanzas:\$\{OWNER_PASSWORD:\?\}@postgres:5432/,
      )
      expect(environment['JWT_SECRET']).toBe('${JWT_SECRET:?}')
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
    }
  })

  test('a server is given the time that draining and closing take', () => {
    const closingSeconds = Number(/closingMsMax = (\d+)_000/.exec(textOf('server/run-program.ts'))?.[1])

    for (const [, { stop_grace_period, environment = {} }] of servers)
      expect(Number.parseInt(stop_grace_period ?? '0', 10)).toBeGreaterThanOrEqual(
        Number(environment['DRAIN_SECONDS']) + closingSeconds,
      )
  })

  test('opens one port, on loopback, mounts files that exist, and gives the proxy its variables', () => {
    const all = Object.values(services)
    const mounted = all.flatMap(({ volumes = [] }) => volumes).filter((volume) => volume.startsWith('./'))
    const asked = captures(textOf('deploy/haproxy.cfg').replaceAll(/^ *#.*$/gm, ''), /"\$\{([A-Z0-9_]+)\}"/g)

    expect(all.flatMap(({ ports = [] }) => ports)).toEqual(['127.0.0.1:8080:8080'])
    expect(
      mounted.filter((volume) => !existsSync(path.join(root, 'deploy', volume.split(':')[0] ?? ''))),
    ).toEqual([])
    expect(new Set(asked)).toEqual(new Set(Object.keys(services['proxy']?.environment ?? {})))
  })
})

describe('the systemd service', () => {
  const service = textOf('deploy/finanzas.service').split('\n')

  test('may do nothing of the system but listen, connect, and write its data', () => {
    const needed = [
      'CapabilityBoundingSet=',
      'DynamicUser=yes',
      'NoNewPrivileges=yes',
      'PrivateDevices=yes',
      'PrivateTmp=yes',
      'ProtectHome=yes',
      'ProtectProc=invisible',
      'ProtectSystem=strict',
      'RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX',
      'RestrictNamespaces=yes',
      'SystemCallFilter=@system-service',
      'SystemCallFilter=~@privileged @resources',
    ]

    expect(needed.filter((setting) => !service.includes(setting))).toEqual([])
    expect(service.filter((setting) => /^(?:ReadWritePaths|BindPaths)=/.test(setting))).toEqual([])
  })

  test('a command is run with its settings and as its user', () => {
    const given = captures(textOf('deploy/command.sh'), /--property=(\S+)/g)

    expect(given.length).toBeGreaterThan(4)
    expect(given.filter((property) => !service.includes(property))).toEqual([])
  })
})

describe('programs that check their files', () => {
  // systemd's program is on machines with systemd alone.
  test.skipIf(!existsSync('/usr/bin/systemd-analyze'))('systemd knows every setting of the service', () => {
    const file = path.join(root, 'deploy/finanzas.service')
    const verdict = outputOf('systemd-analyze', ['verify', file])
    const exposure = outputOf('systemd-analyze', ['security', '--offline=true', '--threshold=20', file])

    // The checkout is not installed where the service expects it.
    expect(verdict.split('\n').filter((line) => line !== '' && !line.includes('is not executable'))).toEqual(
      [],
    )
    expect(exposure).toMatch(/Overall exposure level for finanzas.service: 1\.\d OK/)
  })

  // HAProxy is a Debian package that a machine may not have.
  test.skipIf(!existsSync('/usr/sbin/haproxy'))('HAProxy accepts its file', () => {
    const addresses = {
      SERVER_1: '127.0.0.1:1',
      SERVER_2: '127.0.0.1:2',
      POSTGRES_1: '127.0.0.1:3',
      POSTGRES_2: '127.0.0.1:4',
    }

    expect(
      outputOf('/usr/sbin/haproxy', ['-c', '-f', path.join(root, 'deploy/haproxy.cfg')], addresses),
    ).toContain('Configuration file is valid')
  })
})

/** What a program prints, whatever its exit code. */
function outputOf(
  program: string,
  given: readonly string[],
  environment: Record<string, string> = {},
): string {
  const command = ['-c', '"$0" "$@" 2>&1 || true', program, ...given]
  return execFileSync('sh', command, { encoding: 'utf8', env: { PATH: process.env['PATH'], ...environment } })
}
