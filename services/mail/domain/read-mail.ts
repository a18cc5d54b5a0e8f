import PostalMime, { type Email } from 'postal-mime'

export type ReadMail = Pick<Email, 'subject' | 'text' | 'html' | 'headers' | 'attachments'>

/**
 * A mail as a person reads it. Anybody may send anything: one that the parser refuses, for example
 * nested too deep, shows its source as its text.
 */
export async function readMail(data: Uint8Array): Promise<ReadMail> {
  try {
    return await PostalMime.parse(data)
  } catch {
    return { headers: [], attachments: [], text: Buffer.from(data).toString('utf8') }
  }
}
