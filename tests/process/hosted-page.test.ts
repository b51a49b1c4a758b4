/** `npm run build:hosted` with a variable too few. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCommand } from './operator-program.ts'
import { emptyDirectory } from './server-program.ts'

const all = {
  SUPABASE_URL: 'https://project.example',
  SUPABASE_ANON_KEY: 'the key for pages',
  SITE_URL: 'https://banco.example',
}

test.each(Object.keys(all))('without %s nothing is built, and the sentence names it', async (name) => {
  const out = join(await emptyDirectory(), 'hosted')

  const { code, stderr } = await runCommand('hosted-page', ['--out', out], { ...all, [name]: '' })

  expect({ code, isBuilt: existsSync(out) }).toEqual({ code: 1, isBuilt: false })
  expect(stderr).toContain(`Falta ${name}`)
})
