import { createTransport } from 'nodemailer'
import { currentRequest } from '#kit/request-context.ts'
import type { Runtime } from '#kit/runtime.ts'
import type { OfferMail } from '../domain/create-offer-mail.ts'

export interface OutgoingMail extends OfferMail {
  readonly to: string
  readonly qrPng: Uint8Array
  readonly qrContentId: string
}

export interface Mailer {
  /** Resolves once the mail server has taken the mail over; rejects otherwise. */
  send(mail: OutgoingMail): Promise<void>
  close(): void
}

const timeoutMilliseconds = 5000

/** The mail server, the one seam at which the fault `mail-down` is injected. */
export function createMailer(
  { smtpUrl, mailFrom }: { smtpUrl: string; mailFrom: string },
  runtime: Runtime,
): Mailer {
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: timeoutMilliseconds,
    greetingTimeout: timeoutMilliseconds,
    socketTimeout: timeoutMilliseconds,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send({ to, subject, text, html, qrPng, qrContentId }) {
      if (runtime.faults.isActive('mail-down')) throw new Error('connect ECONNREFUSED (injected)')
      const context = currentRequest()
      await transport.sendMail({
        from: mailFrom,
        // An object, so that nothing in the address is taken for a list of addresses.
        to: { name: '', address: to },
        subject,
        text,
        html,
        attachments: [
          {
            filename: 'credential-offer.png',
            content: Buffer.from(qrPng),
            contentType: 'image/png',
            contentDisposition: 'inline',
            cid: qrContentId,
          },
        ],
        headers: {
          'X-Mailer': 'lear-testbed/issuer',
          ...(context === undefined ? {} : { 'X-Request-Id': context.requestId }),
          ...(context?.scenarioId === undefined ? {} : { 'X-Scenario-Id': context.scenarioId }),
        },
      })
    },
    close: () => transport.close(),
  }
}
