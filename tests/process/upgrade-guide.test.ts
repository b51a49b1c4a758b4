/**
 * Runs the blocks of docs/es/actualizar.md for systemd as they stand: prepares, migrates and verifies an upgrade, and goes
 * back. Stubs take the place of systemd and of the installation of packages.
 */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { migratedDataDirectory, temporaryDirectory } from '#testing/data-directory.ts'
import { signUp } from '#testing/people.ts'
import { freePort } from '#testing/ports.ts'
import { addRelease, copyProgram } from '#testing/program-copy.ts'
import { untilReady } from '#testing/server-program.ts'
import { addedMigrations } from '#tests/database/next-release.ts'
import { root } from '#tools/tree.ts'
import { record } from './programs.ts'

const run = promisify(execFile)

/** Returns the first block of commands in a section that contains `word`. */
function blockOf(page: string, heading: string, word: string): string {
  const text = readFileSync(join(root, 'docs/es', page), 'utf8')
  const section = text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  const blocks = [...section.matchAll(/^( *)```sh\n([\s\S]*?)^\1```$/gm)].map(([, , block = '']) => block)
  const found = blocks.find((block) => block.includes(word))
  if (found === undefined) throw new Error(`${page}, ${heading}: no block has ${word}.`)
  return found
}

// The guide for systemd is a guide for Linux.
test.skipIf(process.platform !== 'linux')(
  'the blocks of the guide upgrade a bank, verify it and take it back',
  { timeout: 600_000 },
  async () => {
    const { path: machine, remove } = await temporaryDirectory()
    onTestFinished(remove)
    const here = (text: string) =>
      text
        .replaceAll('/opt/finanzas', `${machine}/opt/finanzas`)
        .replaceAll('/var/lib/finanzas', `${machine}/data`)
        .replaceAll(':3000/', `:${port}/`)
    const port = await freePort()
    const { older, newer } = await repositoryOf(machine, here)
    await run('git', ['clone', '--quiet', `${machine}/origin`, `${machine}/opt/finanzas`])
    await run('git', ['-C', `${machine}/opt/finanzas`, 'checkout', '--quiet', older])
    await writeStubs(machine, port)
    const data = await migratedDataDirectory()
    await run('mv', ['-T', data.path, `${machine}/data`])
    const shell = async (block: string, file = '') => {
      const text = here(block).replaceAll('VERSION', newer).replaceAll('ARCHIVO', file)
      const env = { PATH: `${machine}/bin:${process.env['PATH']}`, HOME: machine }
      const { stdout } = await run('sh', ['-e', '-c', text], { cwd: machine, env })
      return stdout
    }
    onTestFinished(() => shell('systemctl stop finanzas').then(() => undefined))
    const server = { url: `http://127.0.0.1:${port}`, anonKey: () => keyOf(port) }
    await shell('cd /opt/finanzas && npm run install:production && systemctl start finanzas')
    await untilReady(server.url)
    const person = await signUp(server)
    const expense = randomUUID()
    await record(person, expense)
    const isKept = async () =>
      (await person.client.from('transactions').select('id').eq('id', expense)).data?.length === 1

    await shell(blockOf('actualizar.md', 'Preparar', 'git checkout VERSION'))
    await shell(blockOf('actualizar.md', 'Migrar', 'systemctl start'))
    await untilReady(server.url)
    const verify = blockOf('actualizar.md', 'Verificar', 'verify-ledger')
    const upgraded = await shell(verify)
    expect(upgraded).toContain('{"status":"ok"}')
    expect(upgraded).toContain('99.0.0')
    expect(upgraded).toContain('29990102000000_later')
    expect(upgraded).toContain('Libro verificado')
    expect(await isKept()).toBe(true)

    await shell(blockOf('actualizar.md', 'Volver atrás', 'finanzas.previous'))
    await shell('systemctl start finanzas')
    await expect
      .poll(() => readFile(`${machine}/log`, 'utf8'), { timeout: 60_000 })
      .toContain('Una versión más nueva de Finanzas ya migró esta base de datos')
    // The block of the migration made the last backup, after the bank had stopped.
    const backup = readdirSync(`${machine}/data/backups`).toSorted().at(-1) ?? ''
    await shell(
      blockOf('respaldos.md', 'Restaurar', 'postgres-anterior'),
      `${machine}/data/backups/${backup}`,
    )
    await untilReady(server.url)
    const back = await shell(verify)
    expect(back).not.toContain('99.0.0')
    expect(back).toContain('Libro verificado')
    expect(await isKept()).toBe(true)
  },
)

/** Makes a repository with this tree and a later version, and returns the two commits. */
async function repositoryOf(
  machine: string,
  here: (text: string) => string,
): Promise<{ older: string; newer: string }> {
  const folder = `${machine}/origin`
  const git = async (...command: string[]) => {
    const person = ['-c', 'user.name=Ana', '-c', 'user.email=ana@banco.example']
    return (await run('git', ['-C', folder, ...person, ...command])).stdout.trim()
  }
  await mkdir(folder)
  await copyProgram(folder, ['deploy'])
  const script = join(folder, 'deploy/command.sh')
  writeFileSync(script, here(readFileSync(script, 'utf8')))
  await writeFile(join(folder, '.gitignore'), 'node_modules\n.cache\n')
  await git('init', '--quiet', '--initial-branch=main')
  await git('add', '--all')
  await git('commit', '--quiet', '--message=older')
  const older = await git('rev-parse', 'HEAD')
  addRelease(folder, { version: '99.0.0', migrations: addedMigrations })
  await git('add', '--all')
  await git('commit', '--quiet', '--message=newer')
  return { older, newer: await git('rev-parse', 'HEAD') }
}

/** Writes programs that take the place of systemctl, systemd-run and npm. */
async function writeStubs(machine: string, port: number): Promise<void> {
  const settings = `DATA_DIR=${machine}/data PORT=${port} AUTH_AUTOCONFIRM=true`
  const stubs = {
    systemctl: `
      case $1 in
        start)
          cd ${machine}/opt/finanzas
          env ${settings} node_modules/.bin/node server/main.ts >>${machine}/log 2>&1 &
          echo $! >${machine}/pid ;;
        stop)
          [ -e ${machine}/pid ] || exit 0
          pid=$(cat ${machine}/pid)
          kill $pid 2>/dev/null
          while [ -e /proc/$pid ] && ! grep -q ') Z ' /proc/$pid/stat; do sleep 0.1; done
          rm ${machine}/pid ;;
      esac`,
    'systemd-run': `
      while [ "\${1#--}" != "$1" ]; do shift; done
      cd ${machine}/opt/finanzas && exec env ${settings} "$@"`,
    npm: `
      [ "$*" = 'run install:production' ] || exit 1
      for folder in . contract server; do
        [ ! -e ${root}/$folder/node_modules ] || ln -sfn ${root}/$folder/node_modules $folder/node_modules
      done
      mkdir -p .cache && cp -a ${root}/.cache/engine .cache/`,
  }
  await mkdir(`${machine}/bin`)
  for (const [name, text] of Object.entries(stubs)) {
    await writeFile(`${machine}/bin/${name}`, `#!/bin/sh\n${text}\n`)
    await chmod(`${machine}/bin/${name}`, 0o755)
  }
}

async function keyOf(port: number): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/config.json`)
  return ((await answer.json()) as { anonKey: string }).anonKey
}
