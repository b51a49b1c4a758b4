/**
 * What an operator copies from `deploy` and `docs/operations.md` fits the server as it is: its variables, its metrics,
 * its paths, its times.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readTree, root } from './tree.ts'

const tree = readTree()
const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8')
const namesIn = (text: string, pattern: RegExp) => [
  ...new Set([...text.matchAll(pattern)].map(([, name = '']) => name)),
]

const variables = new Set(namesIn(textOf('server/config.ts'), /\benv(?:\[|,\s*)'([A-Z][A-Z0-9_]*)'/g))
/** The runtime's own. */
const foreign = new Set(['NODE_ENV'])
const unknownAmong = (names: readonly string[]) =>
  names.filter((name) => !variables.has(name) && !foreign.has(name))

const metrics = new Set(
  tree
    .filter((file) => /^server\/metrics\/[a-z-]+\.ts$/.test(file.path))
    .flatMap(({ text }) => namesIn(text, /'((?:finanzas|process|nodejs)_[a-z_]+)'/g)),
)
const metricsNamedIn = (file: string) =>
  namesIn(textOf(file), /\b((?:finanzas|process|nodejs)_[a-z_]+)(?=[{\s)[">\\,])/g).map((name) =>
    name.replace(/_(?:bucket|sum|count)$/, ''),
  )

/** What closing may take after DRAIN_SECONDS, as server/run-program.ts has it. */
const closingSeconds = Number(/closingMsMax = (\d+)_000/.exec(textOf('server/run-program.ts'))?.[1])

test('docs/operations.md says of every variable once what to set, and of no other', () => {
  const section = /^## Settings$[\s\S]*?(?=^## )/m.exec(textOf('docs/operations.md'))?.[0] ?? ''
  const cells = [...section.matchAll(/^\| (`[^|]*) \|/gm)].map(([, cell = '']) => cell).join(' ')
  const named = [...cells.matchAll(/`([A-Z][A-Z0-9_]*)`/g)].map(([, name = '']) => name)

  // A list and no set: a variable that stands twice is told two things.
  expect(named.toSorted()).toEqual([...variables].toSorted())
})

describe('metrics', () => {
  test('deploy/alerts.yaml names only those that there are', () => {
    const named = metricsNamedIn('deploy/alerts.yaml')

    expect(named.length).toBeGreaterThan(8)
    expect(named.filter((name) => !metrics.has(name))).toEqual([])
  })

  test('docs/operations.md lists every one', () => {
    const document = textOf('docs/operations.md')

    expect(metrics.size).toBeGreaterThan(15)
    expect([...metrics].filter((name) => !document.includes(`\`${name}`))).toEqual([])
  })

  test('each alert says how bad it is and where in the runbook help stands', () => {
    type Rule = {
      alert: string
      expr: string
      labels: { severity: string }
      annotations: { runbook: string }
    }
    const { groups } = parse(textOf('deploy/alerts.yaml')) as { groups: { rules: Rule[] }[] }
    const rules = groups.flatMap((group) => group.rules)
    const anchors = namesIn(textOf('docs/operations.md'), /^#+ (.+)$/gm).map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    )

    expect(rules.length).toBeGreaterThan(8)
    expect(rules.filter(({ labels }) => !['page', 'ticket'].includes(labels.severity))).toEqual([])
    const places = rules.map(({ annotations }) => annotations.runbook.split('#'))
    expect(
      places.filter(([file, anchor = '']) => file !== 'docs/operations.md' || !anchors.includes(anchor)),
    ).toEqual([])
  })
})

describe('the Dockerfile', () => {
  const lines = textOf('deploy/Dockerfile').split('\n')
  const lastStage = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')))

  test('copies what there is, and the whole server with what it reads', () => {
    const copied = lines
      .filter((line) => line.startsWith('COPY ') && !line.includes('--from'))
      .flatMap((line) => line.split(' ').slice(1, -1))

    expect(copied.filter((file) => !existsSync(path.join(root, file)))).toEqual([])
    for (const needed of ['package.json', 'contract', 'server', 'supabase/migrations'])
      expect(lastStage.some((line) => line.startsWith('COPY ') && line.includes(` ${needed} `))).toBe(true)
  })

  test('is given what it copies, and nothing that was built or belongs to a bank', () => {
    const [first, ...rules] = textOf('deploy/Dockerfile.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
    const copied = lines
      .filter((line) => line.startsWith('COPY ') && !line.includes('--from'))
      .flatMap((line) => line.split(' ').slice(1, -1))
    const given = rules.filter((rule) => rule.startsWith('!')).map((rule) => rule.slice(1))

    expect(first).toBe('*')
    expect(copied.filter((file) => !given.some((one) => `${file}/`.startsWith(`${one}/`)))).toEqual([])
    expect(given.filter((one) => !copied.includes(one))).toEqual([])
    expect(rules.slice(given.length)).toEqual(expect.arrayContaining(['**/node_modules', 'web/dist']))
  })

  test('runs the server as nobody special, without a shell between it and the signal', () => {
    expect(lastStage.filter((line) => line.startsWith('USER '))).toEqual(['USER node'])
    const command = JSON.parse(
      lastStage.find((line) => line.startsWith('CMD '))?.slice(4) ?? '[]',
    ) as string[]
    expect(command[0]).toBe('node')
    expect(JSON.parse(textOf('package.json')).scripts.start).toBe(command.join(' '))
    expect(lastStage.join('\n')).not.toMatch(/SECRET|PASSWORD/)
  })

  test('sets only variables that there are', () => {
    const names = namesIn(lines.filter((line) => line.startsWith('ENV ')).join('\n'), /(\w+)=/g)

    expect(names.length).toBeGreaterThan(0)
    expect(unknownAmong(names)).toEqual([])
  })
})

describe('the compose file', () => {
  type Service = {
    environment?: Record<string, string>
    read_only?: boolean
    cap_drop?: string[]
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
      expect(environment['DATABASE_URL']).toContain('postgres:5432')
      expect(environment['JWT_SECRET']).toBe('${JWT_SECRET:?}')
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
    }
  })

  test('gives the servers an owner and its password, not the superuser’s', () => {
    for (const [, { environment = {} }] of servers)
      expect(environment['DATABASE_URL']).toMatch(/^postgres:\/\/finanzas:\$\{OWNER_PASSWORD:\?\}@/)
    expect(textOf('deploy/postgres-owner.sh')).toContain('password="$OWNER_PASSWORD"')
    expect(services['postgres']?.environment).toEqual({
      POSTGRES_PASSWORD: '${POSTGRES_PASSWORD:?}',
      OWNER_PASSWORD: '${OWNER_PASSWORD:?}',
    })
  })

  test('gives a server the time that it takes to leave', () => {
    for (const [, { stop_grace_period, environment = {} }] of servers)
      expect(Number.parseInt(stop_grace_period ?? '0', 10)).toBeGreaterThanOrEqual(
        Number(environment['DRAIN_SECONDS']) + closingSeconds,
      )
  })

  test('opens one port, on loopback, and mounts files that there are', () => {
    const all = Object.values(services)

    expect(all.flatMap(({ ports = [] }) => ports)).toEqual(['127.0.0.1:8080:8080'])
    const mounted = all.flatMap(({ volumes = [] }) => volumes).filter((volume) => volume.startsWith('./'))
    expect(mounted.length).toBeGreaterThan(1)
    expect(
      mounted.filter((volume) => !existsSync(path.join(root, 'deploy', volume.split(':')[0] ?? ''))),
    ).toEqual([])
  })

  test('tells the proxy all that its file asks for', () => {
    const asked = namesIn(textOf('deploy/haproxy.cfg').replaceAll(/^ *#.*$/gm, ''), /"\$\{([A-Z0-9_]+)\}"/g)

    expect(asked.toSorted()).toEqual(Object.keys(services['proxy']?.environment ?? {}).toSorted())
  })
})

describe('the systemd service', () => {
  test('may do nothing of the system but listen, connect, and write its data', () => {
    const settings = new Set(textOf('deploy/finanzas.service').split('\n'))
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

    expect(needed.filter((setting) => !settings.has(setting))).toEqual([])
    expect([...settings].filter((setting) => /^(?:ReadWritePaths|BindPaths)=/.test(setting))).toEqual([])
  })
})

test('a command is run with the settings of the service and as its user', () => {
  const service = textOf('deploy/finanzas.service').split('\n')
  const environment =
    service
      .find((line) => line.startsWith('Environment='))
      ?.slice(12)
      .split(' ') ?? []
  const given = namesIn(textOf('deploy/command.sh'), /--property=(\S+)/g)

  expect(given.filter((property) => !service.includes(property))).toEqual([])
  for (const name of ['User', 'DynamicUser', 'StateDirectory', 'EnvironmentFile', 'WorkingDirectory'])
    expect(given.some((property) => property.startsWith(`${name}=`))).toBe(true)
  expect(namesIn(textOf('deploy/command.sh'), /--setenv=(\S+)/g)).toEqual(environment)
  expect(textOf('deploy/finanzas.service')).toContain('\nExecStart=/opt/finanzas/node_modules/.bin/node ')
})

describe('programs that can judge their files', () => {
  // systemd's program is on most machines with systemd, and on no other.
  test.skipIf(!existsSync('/usr/bin/systemd-analyze'))('systemd knows every setting of the service', () => {
    const file = path.join(root, 'deploy/finanzas.service')
    const said = outputOf('systemd-analyze', ['verify', file])
    const exposure = outputOf('systemd-analyze', ['security', '--offline=true', '--threshold=20', file])

    // The checkout is not installed where the service expects it.
    expect(said.split('\n').filter((line) => line !== '' && !line.includes('is not executable'))).toEqual([])
    expect(exposure).toMatch(/Overall exposure level for finanzas.service: 1\.\d OK/)
  })

  // HAProxy is a Debian package that a machine may not have.
  test.skipIf(!existsSync('/usr/sbin/haproxy'))('HAProxy accepts its file', () => {
    const places = {
      SERVER_1: '127.0.0.1:1',
      SERVER_2: '127.0.0.1:2',
      POSTGRES_1: '127.0.0.1:3',
      POSTGRES_2: '127.0.0.1:4',
    }

    expect(
      outputOf('/usr/sbin/haproxy', ['-c', '-f', path.join(root, 'deploy/haproxy.cfg')], places),
    ).toContain('Configuration file is valid')
  })
})

/** All that a program says; its verdict is read from it. */
function outputOf(
  program: string,
  given: readonly string[],
  environment: Record<string, string> = {},
): string {
  const command = ['-c', '"$0" "$@" 2>&1 || true', program, ...given]
  return execFileSync('sh', command, { encoding: 'utf8', env: { PATH: process.env['PATH'], ...environment } })
}
