/** Types that the texts of all topics share. */
import type { Keys } from '#tokens/keys.ts'
import type { MailCopy } from './mail-page.ts'
import { type Notice, whenAndWhere } from './templates.ts'

/** The data that a text needs about an event. They contain no secret. */
export type Facts = Readonly<Record<string, string | number | boolean | null>>

/** The keys, the currency and the words of this installation, for the texts of all topics. */
export type NewsParts = {
  readonly keys: Pick<Keys, 'links'>
  readonly displayCurrency: 'USD' | 'COP'
  /** Writes the commands in a text to the operator as this installation requires. */
  readonly asCalledHere: (text: string) => string
}

export type News = Notice & NewsParts & { readonly facts: Facts }

export type NewsCopy = MailCopy & {
  /** The URL to which a mail program posts if the recipient wants no more mails about this topic. */
  readonly unsubscribe?: string
}

type ActWords = {
  readonly subject: string
  readonly happened: string
  readonly closing: string
  /** A link to follow, if the mail has one. */
  readonly next?: { readonly link: string; readonly button: string }
}

/** Returns the text about an act at a known time. */
export const act =
  (wordsOf: (news: News) => ActWords) =>
  (news: News): NewsCopy => {
    const { happened, ...words } = wordsOf(news)
    return { ...words, paragraphs: [happened, whenAndWhere(news)] }
  }
