/** Layout of every mail: a greeting, one action on its own line, and a closing remark. */

/** A mail. The plain-text part has each link on a separate line. */
export type Mail = {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The URL to which a mail program posts if the recipient wants no more mails of this kind. */
  readonly unsubscribe?: string
  /** Id of the customer of a file, if the mail invites this customer (`auth.outgoing_mails.invited`). */
  readonly invited?: string
}

export type Addressee = { readonly to: string; readonly brandName: string }

export type MailCopy = {
  readonly subject: string
  readonly paragraphs: readonly string[]
  /** The link to follow or the code to type, if the mail has one. */
  readonly next?: { readonly link: string; readonly button: string } | { readonly code: string }
  readonly closing: string
}

export function writeMail({ to, brandName }: Addressee, copy: MailCopy): Mail {
  const blocks = ['Hola:', ...copy.paragraphs, ...nextAsText(copy), copy.closing, brandName]
  return { to, subject: copy.subject, text: `${blocks.join('\n\n')}\n`, html: page(copy, brandName) }
}

function nextAsText({ next }: MailCopy): string[] {
  if (next === undefined) return []
  return ['link' in next ? next.link : next.code]
}

function page(copy: MailCopy, brandName: string): string {
  const paragraphs = ['Hola:', ...copy.paragraphs].map((words) => `<p>${escapeHtml(words)}</p>`)
  return `<!doctype html>
<html lang="es-CO">
<head><meta charset="utf-8"><title>${escapeHtml(copy.subject)}</title></head>
<body style="margin:0;padding:32px 16px;background:#f4f6fa;color:#1c2434;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:480px;margin:0 auto;padding:32px;background:#ffffff;border-radius:12px">
<h1 style="margin:0 0 16px;font-size:20px">${escapeHtml(brandName)}</h1>
${[...paragraphs, ...nextAsHtml(copy)].join('\n')}
<p style="color:#5b6475;font-size:14px">${escapeHtml(copy.closing)}</p>
</div>
</body>
</html>
`
}

function nextAsHtml({ next }: MailCopy): string[] {
  if (next === undefined) return []
  if ('code' in next) {
    return [
      `<p style="margin:24px 0;font-size:28px;letter-spacing:6px;font-weight:600">${escapeHtml(next.code)}</p>`,
    ]
  }
  return [
    `<p style="margin:24px 0">
<a href="${escapeHtml(next.link)}"
style="padding:12px 20px;background:#234485;color:#ffffff;border-radius:8px;text-decoration:none">${escapeHtml(next.button)}</a>
</p>`,
  ]
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
