import type { Transporter } from 'nodemailer'
import { currentRequest, refuseCutWork } from '#kit/request-context.ts'
import type { Runtime } from '#kit/runtime.ts'
import type { OfferMail } from '../domain/offer-mail.ts'

interface OutgoingMail extends OfferMail {
  readonly to: string
  /** In angle brackets. */
  readonly messageId: string
  readonly qrPng: Uint8Array
  readonly qrContentId: string
}

export interface Mailer {
  /**
   * `sent` if the mail server accepts the email, `refused` if it permanently rejects this address,
   * `later` otherwise.
   */
  send(mail: OutgoingMail): Promise<'sent' | 'refused' | 'later'>
  close(): void
}

const timeoutMilliseconds = 5000
const textContentId = 'credential-offer-text'

/** The mail server; the fault `mail-down` is injected here. */
export function createMailer(
  { smtpUrl, mailFrom }: { smtpUrl: string; mailFrom: string },
  runtime: Runtime,
): Mailer {
  let transport: Transporter | undefined
  /** Loads the mail client with the first email. */
  const openTransport = async () => {
    const { createTransport } = await import('nodemailer')
    transport ??= createTransport({
      url: smtpUrl,
      connectionTimeout: timeoutMilliseconds,
      greetingTimeout: timeoutMilliseconds,
      socketTimeout: timeoutMilliseconds,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    return transport
  }

  async function deliver({ to, messageId, subject, text, html, qrPng, qrContentId }: OutgoingMail) {
    refuseCutWork()
    if (runtime.faults.isActive('mail-down')) throw new Error('connect ECONNREFUSED (injected)')
    const context = currentRequest()
    const mailer = await openTransport()
    await mailer.sendMail({
      from: mailFrom,
      // An object, so that the address is never parsed as a list of addresses.
      to: { name: '', address: to },
      messageId,
      subject,
      html,
      // `mailhog` only decodes headers in base64 (RFC 2047's B); with Q it leaves the underscores.
      textEncoding: 'base64',
      encoding: 'quoted-printable',
      // One multipart/related (RFC 2387): mail clients show the HTML with the QR code in it. Simple
      // ones such as `mailhog` only read the top level and find HTML, text and image there.
      attachments: [
        {
          filename: 'credential-offer.png',
          content: Buffer.from(qrPng),
          contentType: 'image/png',
          cid: qrContentId,
        },
        {
          filename: 'credential-offer.txt',
          content: text,
          contentType: 'text/plain; charset=utf-8',
          cid: textContentId,
        },
      ].map((part) => ({ ...part, contentDisposition: 'attachment' as const })),
      headers: {
        'X-Mailer': 'lear-testbed/issuer',
        ...(context === undefined ? {} : { 'X-Request-Id': context.requestId }),
        ...(context?.scenarioId === undefined ? {} : { 'X-Scenario-Id': context.scenarioId }),
      },
    })
  }

  return {
    async send(mail) {
      try {
        await deliver(mail)
        return 'sent'
      } catch (error) {
        const outcome = isRefusal(error) ? 'refused' : 'later'
        runtime.log.warn(
          { service: 'issuer', err: error, outcome },
          'the mail server did not accept an email',
        )
        return outcome
      }
    },
    close: () => transport?.close(),
  }
}

/** RFC 5321, 4.2.1: a 5yz reply is permanent; one to RCPT concerns the address. */
function isRefusal(error: unknown): boolean {
  const { command, responseCode } = error as { command?: unknown; responseCode?: unknown }
  return command === 'RCPT TO' && typeof responseCode === 'number' && responseCode >= 500
}
