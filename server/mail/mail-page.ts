/** What every mail of the bank looks like: a greeting, one link on a line of its own, one closing remark. */
import type { Mail } from './mailer.ts'

/** The words of one mail, as plain text. */
export type MailCopy = {
  readonly subject: string
  readonly paragraphs: readonly string[]
  readonly button: string
  readonly closing: string
}

/** Whom it goes to, where its link leads, and who sends it. */
export type Letter = { readonly to: string; readonly link: string; readonly brandName: string }

/** The mail with both of its parts. */
export function writeMail({ to, link, brandName }: Letter, copy: MailCopy): Mail {
  const text = ['Hola:', ...copy.paragraphs, link, copy.closing, brandName].join('\n\n')
  return { to, subject: copy.subject, text: `${text}\n`, html: page(copy, { link, brandName }) }
}

function page(copy: MailCopy, { link, brandName }: { link: string; brandName: string }): string {
  const paragraphs = ['Hola:', ...copy.paragraphs].map((words) => `<p>${escapeHtml(words)}</p>`)
  return `<!doctype html>
<html lang="es-CO">
<head><meta charset="utf-8"><title>${escapeHtml(copy.subject)}</title></head>
<body style="margin:0;padding:32px 16px;background:#f4f6fa;color:#1c2434;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:480px;margin:0 auto;padding:32px;background:#ffffff;border-radius:12px">
<h1 style="margin:0 0 16px;font-size:20px">${escapeHtml(brandName)}</h1>
${paragraphs.join('\n')}
<p style="margin:24px 0">
<a href="${escapeHtml(link)}"
style="padding:12px 20px;background:#234485;color:#ffffff;border-radius:8px;text-decoration:none">${escapeHtml(copy.button)}</a>
</p>
<p style="color:#5b6475;font-size:14px">${escapeHtml(copy.closing)}</p>
</div>
</body>
</html>
`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character)
}
