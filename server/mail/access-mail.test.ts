import { expect, test } from 'vitest'
import { type AccessEvent, noticeAccess } from './access-mail.ts'
import type { Mail } from './mail-page.ts'

async function mailOf(event: AccessEvent, supportContact = 'línea 601 555 0000'): Promise<Mail> {
  const mails: Mail[] = []
  const mailer = {
    send: (mail: Mail) => Promise.resolve(void mails.push(mail)),
    close: () => Promise.resolve(),
  }
  const config = { siteUrl: 'https://banco.example', brandName: 'Banco', supportContact }
  await noticeAccess({ mailer, config }, 'ana@correo.example', event)
  return mails[0] as Mail
}

test('a blocked person reads until when, that the money stays, and whom to ask', async () => {
  const { text } = await mailOf({ kind: 'blocked', until: new Date('2026-11-22T11:08:00Z') })

  expect(text).toContain(
    'Banco bloqueó tu cuenta hasta el 22 de noviembre de 2026, 6:08 a. m., hora de Colombia y cerró todas tus sesiones. Tu saldo y tus movimientos siguen como estaban.',
  )
  expect(text).toContain('Para saber por qué, habla con el banco: línea 601 555 0000.')
  expect((await mailOf({ kind: 'blocked', until: null })).text).toContain('hasta nuevo aviso')
})

test.each<[AccessEvent, string]>([
  [{ kind: 'unblocked' }, 'Si no sabes por qué, habla con el banco.'],
  [{ kind: 'sessions ended' }, 'Si no sabes por qué, habla con el banco.'],
  [{ kind: 'factors reset' }, 'elige «¿Olvidaste tu contraseña?» y crea otra. Luego avísale al banco.'],
  [{ kind: 'address change', newEmail: 'otra@correo.example' }, 'Si no lo pediste, habla ya con el banco.'],
])('%j is told with what to do about it, without a link', async (event, closing) => {
  const { text } = await mailOf(event, '')

  expect(text).toContain(closing)
  expect(text).not.toMatch(/^https?:\/\/\S+$/m)
})
