import PostalMime, { type Email } from 'postal-mime'

/** A mail as a foreign library reads it. Offer mails carry their text as an attachment. */
export async function readMail(data: Uint8Array): Promise<Email> {
  const mail = await PostalMime.parse(data)
  const part = mail.attachments.find(({ mimeType }) => mimeType === 'text/plain')
  if (mail.text !== undefined || part === undefined) return mail
  return { ...mail, text: Buffer.from(part.content as Uint8Array).toString() }
}
