import PostalMime, { type Email } from 'postal-mime'

export type ReadMail = Pick<
  Email,
  'subject' | 'messageId' | 'to' | 'text' | 'html' | 'headers' | 'attachments'
>

/**
 * A mail as a person reads it. Anybody may send anything: one that the parser refuses, for example
 * nested too deep, shows its source as its text.
 */
export async function readMail(data: Uint8Array): Promise<ReadMail> {
  try {
    const mail = await PostalMime.parse(data)
    return mail.text === undefined ? { ...mail, ...attachedText(mail) } : mail
  } catch {
    return { headers: [], attachments: [], text: Buffer.from(data).toString('utf8') }
  }
}

/** Offer mails carry their text as an attachment, beside the HTML. */
function attachedText({ attachments }: Email): { text?: string } {
  const part = attachments.find(({ mimeType }) => mimeType === 'text/plain')
  if (part === undefined) return {}
  const { content } = part
  return { text: typeof content === 'string' ? content : new TextDecoder().decode(content) }
}
