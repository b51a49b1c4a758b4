/** Sending mail, whatever carries it: SMTP, or files in the outbox. */

/** One mail to one person; the text part holds every link on a line of its own. */
export type Mail = {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

export interface Mailer {
  /**
   * Takes the mail over. Answers once it is sent or safely kept. A mail that may be sent twice has an id, by which its
   * reader's program knows it again.
   */
  send(mail: Mail, id?: string): Promise<void>
  close(): Promise<void>
}
