// Tests that the files in `deploy` match the server's settings, paths and time limits.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { alarmLimits } from '@finanzas/contract/operations/alarms.ts'
import { headersBytesMax, restLargeBodyBytesMax } from '@finanzas/contract/limits.ts'
import { settingNames } from '#server/settings/settings.ts'
import { freePort } from '#testing/ports.ts'
import { notInCompose } from '#tools/settings/write.ts'
import { root } from './tree.ts'

const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8')
const captures = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, first = '']) => first)
const variables: ReadonlySet<string> = new Set(['NODE_ENV', ...settingNames])
const unknownAmong = (names: readonly string[]) => names.filter((name) => !variables.has(name))

describe('the Dockerfile', () => {
  const lines = textOf('deploy/Dockerfile').split('\n')
  const lastStage = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')))
  const copied = lines
    .filter((line) => line.startsWith('COPY ') && !line.includes('--from'))
    .flatMap((line) => line.split(' ').slice(1, -1))

  test('the Dockerfile copies only files that exist and that are in the build context', () => {
    const given = captures(textOf('deploy/Dockerfile.dockerignore'), /^!(.+)$/gm)

    expect(copied.filter((file) => !existsSync(path.join(root, file)))).toEqual([])
    expect(copied.filter((file) => !given.some((one) => `${file}/`.startsWith(`${one}/`)))).toEqual([])
    expect(given.filter((one) => !copied.includes(one))).toEqual([])
  })

  test('the image runs the same command as npm start, without root rights or secrets', () => {
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

// Other systems may have an incompatible version of bash or no bash.
test.skipIf(process.platform !== 'linux')('the health check of the image follows /health', async () => {
  const [, words = '[]'] = /^HEALTHCHECK .*\\\n +CMD (\[.*\])$/m.exec(textOf('deploy/Dockerfile')) ?? []
  const [program = '', ...given] = JSON.parse(words) as string[]
  let status = 200
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/health' ? status : 404).end()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const check = async (PORT: number) => {
    const child = spawn(program, given, {
      env: { PATH: process.env['PATH'], PORT: String(PORT) },
      stdio: 'ignore',
    })
    return ((await once(child, 'exit')) as [number])[0] === 0
  }

  expect(program).not.toBe('node')
  expect(await check(port)).toBe(true)
  status = 503
  expect(await check(port)).toBe(false)
  expect(await check(await freePort())).toBe(false)
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

  test('the two servers of the compose file share a database and a signing key, and write only to their own data directories', () => {
    expect(servers).toHaveLength(2)
    for (const [, { environment = {}, ...service }] of servers) {
      expect(unknownAmong(Object.keys(environment))).toEqual([])
      // The server connects as the owner of the database, not as the superuser.
      expect(environment['DATABASE_URL']).toMatch(
        /^postgres:\/\/finanzas:\$\{OWNER_PASSWORD:\?\}@postgres:5432/,
      )
      expect(environment['JWT_SECRET']).toBe('${JWT_SECRET:?}')
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
    }
  })

  test('the compose file passes every setting to the servers', () => {
    const given = new Set(servers.flatMap(([, { environment = {} }]) => Object.keys(environment)))

    expect(settingNames.filter((name) => !given.has(name))).toEqual(
      settingNames.filter((name) => Object.hasOwn(notInCompose, name)),
    )
    // Only one server makes backups, because otherwise every backup would exist twice.
    expect(servers[0]?.[1].environment?.['BACKUP_INTERVAL_MINUTES']).toBe('${BACKUP_INTERVAL_MINUTES:-60}')
    const backingUp = servers.filter(([, { environment = {} }]) => 'BACKUP_INTERVAL_MINUTES' in environment)
    expect(backingUp).toHaveLength(1)
  })

  test('the compose file gives each server enough time to drain and close', () => {
    const closingSeconds = Number(/closingMsMax = (\d+)_000/.exec(textOf('server/run-program.ts'))?.[1])

    for (const [, { stop_grace_period, environment = {} }] of servers)
      expect(Number.parseInt(stop_grace_period ?? '0', 10)).toBeGreaterThanOrEqual(
        Number(environment['DRAIN_SECONDS']) + closingSeconds,
      )
  })

  test('the compose file opens one port on loopback, and provides all mounted files and all variables of the proxy', () => {
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

test('the alerts of Prometheus have the same limits as the alarms of the bank', () => {
  const limitOf = (alert: string) =>
    new RegExp(`alert: ${alert}\\n\\s+expr: .* > ([\\d *]+)$`, 'm')
      .exec(textOf('deploy/alerts.yaml'))?.[1]
      ?.split('*')
      .reduce((product, factor) => product * Number(factor), 1)

  expect(limitOf('FinanzasMailsWait')).toBe(alarmLimits.mailSeconds)
  expect(limitOf('FinanzasLedgerUnchecked')).toBe(alarmLimits.ledgerSeconds)
  // The alert rule assumes that BACKUP_INTERVAL_MINUTES has its default value.
  expect(limitOf('FinanzasNoBackup')).toBe(alarmLimits.backupIntervals * 3600)
})

describe('the systemd service', () => {
  const service = textOf('deploy/finanzas.service').split('\n')

  test('the systemd service can do nothing but listen and connect and write its data', () => {
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

  test('the script runs commands with the same settings and user as the service', () => {
    const given = captures(textOf('deploy/command.sh'), /--property=(\S+)/g)

    expect(given.length).toBeGreaterThan(4)
    expect(given.filter((property) => !service.includes(property))).toEqual([])
  })
})

// The script requires systemd, which exists only on Linux.
describe.skipIf(process.platform !== 'linux')('the script of the commands', () => {
  const script = path.join(root, 'deploy/command.sh')
  let folder: string

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'finanzas-command-'))
    // A stub for systemd-run, which prints the given command and copies its input to its output.
    const stub = `#!/bin/sh
      while [ "\${1#--}" != "$1" ]; do shift; done
      shift
      echo "$@" >&2
      cat
      exit "\${STUB_CODE:-0}"`
    writeFileSync(path.join(folder, 'systemd-run'), stub, { mode: 0o755 })
    writeFileSync(path.join(folder, 'one.backup'), 'a backup')
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const call = (given: readonly string[], { input = '', code = '0' } = {}) => {
    const env = { PATH: `${folder}:${process.env['PATH']}`, STUB_CODE: code }
    const { status, stdout, stderr } = spawnSync(script, given, { cwd: folder, encoding: 'utf8', env, input })
    return { status, stdout, stderr: stderr.trim() }
  }
  const command = (name: string, given = '') => `server/operator/commands/${name}.ts${given}`

  test.for<[string[], string]>([
    [['restore', 'one.backup', '--signed-by', 'ab:cd'], command('restore', ' - --signed-by ab:cd')],
    [['restore', '--signed-by', 'ab:cd', './one.backup'], command('restore', ' --signed-by ab:cd -')],
    [['verify-statement', 'one.backup', '--json'], command('verify-statement', ' - --json')],
  ])('the script passes the caller’s file as standard input: %j', ([given, called]) => {
    expect(call(given)).toEqual({ status: 0, stdout: 'a backup', stderr: called })
  })

  test.for([['--key', 'one.backup'], ['--key=one.backup']])(
    'the script refuses verify-statement with %j',
    (key) => {
      expect(call(['verify-statement', 'one.backup', ...key])).toEqual({
        status: 2,
        stdout: '',
        stderr: '--key es para quien no tiene el banco. Omítelo, o usa npm run verify-statement.',
      })
    },
  )

  test('the script passes on the name of a missing file, which the command then refuses', () => {
    expect(call(['restore', 'none.backup'])).toMatchObject({ stderr: command('restore', ' none.backup') })
  })

  test.for([[['--to', 'new.backup']], [['--to=new.backup']]])(
    'the script writes a backup to the caller’s file: %j',
    ([given = []]) => {
      const { status, stderr } = call(['backup', ...given], { input: 'rows' })

      expect([status, stderr.replace('=', ' ')]).toEqual([0, command('backup', ' --to -')])
      expect(readFileSync(path.join(folder, 'new.backup'), 'utf8')).toBe('rows')
      expect(statSync(path.join(folder, 'new.backup')).mode & 0o777).toBe(0o600)
    },
  )

  test('the script removes the incomplete file of a failed backup', () => {
    expect(call(['backup', '--to', 'new.backup'], { input: 'ro', code: '1' }).status).toBe(1)

    expect(readdirSync(folder)).toEqual(['one.backup', 'systemd-run'])
  })

  test.for([
    ['one.backup', 'one.backup ya existe. Elige otro nombre.'],
    ['missing/new.backup', 'No existe el directorio missing. Monta el disco, o crea el directorio primero.'],
  ] as const)('backup --to %s is refused', ([to, sentence]) => {
    expect(call(['backup', '--to', to])).toEqual({ status: 1, stdout: '', stderr: sentence })
    expect(readFileSync(path.join(folder, 'one.backup'), 'utf8')).toBe('a backup')
  })

  test('the script does not change the arguments of other commands, including a backup to the default folder', () => {
    expect(call(['backup', '--with-secrets']).stderr).toBe(command('backup', ' --with-secrets'))
    expect(call(['admin', 'create', 'ana@banco.example', '--name', 'Ana']).stderr).toBe(
      command('admin', ' create ana@banco.example --name Ana'),
    )
  })
})

describe('the three proxies', () => {
  const withoutComments = (file: string) => textOf(file).replaceAll(/^\s*#.*$/gm, '')
  const haproxy = withoutComments('deploy/haproxy.cfg')
  const nginx = withoutComments('deploy/nginx.conf')
  const caddy = withoutComments('deploy/Caddyfile')
  /** Returns all values of a setting, in the order of the file. */
  const valuesOf = (text: string, setting: string) =>
    captures(text, new RegExp(String.raw`^\s*${setting} ([^;\n]+);?$`, 'gm'))
  const millisecondsOf = (file: string, name: string) =>
    Number(new RegExp(String.raw`const ${name} = ([\d_]+)\n`).exec(textOf(file))?.[1]?.replaceAll('_', ''))

  test('the proxies have the same time limits', () => {
    expect(valuesOf(haproxy, 'timeout connect')).toEqual(['2s'])
    expect(valuesOf(nginx, 'proxy_connect_timeout')).toEqual(['2s'])
    expect(valuesOf(caddy, 'dial_timeout')).toEqual(['2s'])

    const [answer = ''] = valuesOf(haproxy, 'timeout server')
    const [tunnel = ''] = valuesOf(haproxy, 'timeout tunnel')
    expect(valuesOf(nginx, 'proxy_read_timeout')).toEqual([answer, tunnel])
    expect(valuesOf(caddy, 'response_header_timeout')).toEqual([answer])
    // A request may wait this long in the server's queue before the server works on it.
    const queueSeconds = millisecondsOf('server/overload/admission-queue.ts', 'queueTimeoutMs') / 1000
    expect(Number.parseInt(answer, 10)).toBeGreaterThan(queueSeconds)

    const [idle = ''] = valuesOf(haproxy, 'timeout client')
    expect(valuesOf(nginx, 'keepalive_timeout')).toEqual([idle])
    expect(valuesOf(caddy, 'idle')).toEqual([idle])
    // The proxy must close an idle connection before the server does. Otherwise the proxy could send a request on a
    // closed connection, and the request would be lost.
    expect(Number.parseInt(valuesOf(caddy, 'keepalive')[0] ?? '', 10)).toBeLessThan(
      millisecondsOf('server/http-application.ts', 'keepAliveTimeoutMs') / 1000,
    )
  })

  test('a proxy cannot refuse a body or a header that the server accepts', () => {
    // HAProxy and Caddy have no such limit, because they pass on bodies without buffering them.
    expect(Number.parseInt(valuesOf(nginx, 'client_max_body_size')[0] ?? '', 10)).toBeGreaterThan(
      restLargeBodyBytesMax / 1024 / 1024,
    )
    expect(Number.parseInt(valuesOf(nginx, 'large_client_header_buffers 4')[0] ?? '', 10)).toBeGreaterThan(
      headersBytesMax / 1024,
    )
  })

  test('HAProxy and Caddy send the same requests only to servers that are ready', () => {
    const paths = valuesOf(haproxy, 'acl may_wait path_beg')[0]?.split(' ')

    expect(valuesOf(caddy, 'path')[0]?.replaceAll('*', '').split(' ')).toEqual(paths)
    expect(valuesOf(caddy, 'not path')).toEqual(valuesOf(haproxy, 'acl never_waits path'))
    expect(valuesOf(caddy, 'not method')).toEqual(valuesOf(haproxy, 'acl never_waits method'))
    expect(valuesOf(caddy, 'health_uri')).toEqual(['/ready', '/health'])
    expect(captures(haproxy, /http-check send meth GET uri (\S+) hdr Host proxy/g)).toEqual([
      '/ready',
      '/health',
    ])
  })

  test('the proxies pass on the client’s address, and leave compression and errors to the server', () => {
    expect(haproxy).toContain('option forwardfor')
    expect(new Set(valuesOf(nginx, 'proxy_set_header X-Forwarded-For'))).toEqual(new Set(['$remote_addr']))
    // If a location of nginx sets any header, it inherits none. Each of these locations must therefore repeat this
    // header.
    expect(valuesOf(nginx, 'proxy_set_header X-Forwarded-For')).toHaveLength(
      valuesOf(nginx, 'proxy_set_header Host').length,
    )
    expect(valuesOf(nginx, 'gzip')).toEqual(['off'])
    expect(valuesOf(caddy, 'compression')).toEqual(['off'])
    const message = '{"message":"Service unavailable"}'
    for (const text of [haproxy, nginx, caddy]) expect(text).toContain(message)
    for (const text of [haproxy, nginx, caddy]) expect(text).toMatch(/Retry-After 2\b/)
    for (const text of [haproxy, nginx, caddy]) expect(text).not.toMatch(/9464|compress |encode |hide_header/)
  })

  test('nginx opens WebSockets at the same paths as HAProxy', () => {
    expect(captures(nginx, /location = (\S+) \{/g)).toEqual(
      captures(haproxy, /use_backend sockets if \{ path_beg (\S+) \}/g),
    )
    expect(valuesOf(nginx, 'proxy_set_header Upgrade')).toEqual(['$http_upgrade'])
  })
})

describe('configuration files', () => {
  // The program systemd-analyze is available only on machines with systemd.
  test.skipIf(!existsSync('/usr/bin/systemd-analyze'))('systemd knows every setting of the service', () => {
    const file = path.join(root, 'deploy/finanzas.service')
    const verdict = outputOf('systemd-analyze', ['verify', file])
    const exposure = outputOf('systemd-analyze', ['security', '--offline=true', '--threshold=20', file])

    // Ignores one message: systemd reports that the program does not exist, because the checkout is not installed
    // in the path that the service expects.
    expect(verdict.split('\n').filter((line) => line !== '' && !line.includes('is not executable'))).toEqual(
      [],
    )
    expect(exposure).toMatch(/Overall exposure level for finanzas.service: 1\.\d OK/)
  })

  // HAProxy is a Debian package that is not installed on every machine.
  test.skipIf(!existsSync('/usr/sbin/haproxy'))('HAProxy accepts its configuration file', () => {
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

  // nginx is a Debian package that is not installed on every machine.
  test.skipIf(!existsSync('/usr/sbin/nginx'))('nginx accepts its configuration file', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'finanzas-nginx-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const key = path.join(folder, 'key.pem')
    const certificate = path.join(folder, 'certificate.pem')
    const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
    outputOf('openssl', [...request, '-subj', '/CN=x', '-keyout', key, '-out', certificate])
    const site = textOf('deploy/nginx.conf')
      .replace(/(?<=ssl_certificate ).+(?=;)/, certificate)
      .replace(/(?<=ssl_certificate_key ).+(?=;)/, key)
      // Puts 20 before the number of each port, because only root can use the ports below 1024. `nginx -t` ignores a
      // port that is in use.
      .replaceAll(/(?<=listen (?:\[::\]:)?)(?=\d)/g, '20')
    const file = path.join(folder, 'nginx.conf')
    writeFileSync(file, `pid ${folder}/pid;\nevents {}\nhttp {\naccess_log off;\n${site}}\n`)

    expect(outputOf('/usr/sbin/nginx', ['-t', '-e', 'stderr', '-c', file])).toContain('test is successful')
  })

  const caddyProgram = findProgram('caddy')

  // Caddy is a Debian package that is not installed on every machine.
  test.skipIf(caddyProgram === undefined)(
    'Caddy accepts its configuration file with one server and with two servers',
    () => {
      const given = ['validate', '--adapter', 'caddyfile', '--config', path.join(root, 'deploy/Caddyfile')]
      const home = mkdtempSync(path.join(tmpdir(), 'finanzas-caddy-'))
      onTestFinished(() => rmSync(home, { recursive: true }))
      const one = { HOME: home, SERVER_1: '127.0.0.1:1' }

      for (const addresses of [one, { ...one, SERVER_2: '127.0.0.1:2' }])
        expect(outputOf(caddyProgram ?? '', given, addresses)).toContain('Valid configuration')
    },
  )
})

const promtool = findProgram('promtool')

// Prometheus is a Debian package that is not installed on every machine.
describe.skipIf(promtool === undefined)('the alerts', () => {
  const ask = (...given: string[]) => outputOf(promtool ?? '', given)

  test('promtool accepts the alert rules', () => {
    expect(ask('check', 'rules', path.join(root, 'deploy/alerts.yaml'))).toMatch(/SUCCESS: \d+ rules found/)
  })

  test('the alert rules fire for a small bank that fails but not for a healthy bank', () => {
    expect(ask('test', 'rules', path.join(root, 'tools/alerts.promtool.yaml'))).toMatch(/^\s*SUCCESS$/m)
  })
})

test('each metric that an alert uses is documented', () => {
  const named = captures(textOf('deploy/alerts.yaml'), /\b(finanzas_[a-z_]+)/g)
  const documented = textOf('docs/operations.md')

  expect(named.filter((name) => !documented.includes(`\`${name.replace(/_bucket$/, '')}\``))).toEqual([])
})

/** Searches the PATH for a program and returns its path. */
function findProgram(name: string): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .map((folder) => path.join(folder, name))
    .find((file) => existsSync(file))
}

/** Runs a program and returns its output, even if it fails. */
function outputOf(
  program: string,
  given: readonly string[],
  environment: Record<string, string> = {},
): string {
  const command = ['-c', '"$0" "$@" 2>&1 || true', program, ...given]
  return execFileSync('sh', command, { encoding: 'utf8', env: { PATH: process.env['PATH'], ...environment } })
}
