import { findLink } from '#core/link/find-link.ts'
import { defineCheck } from '../../../define-check.ts'
import { broken, held } from '../../../finding.ts'
import { readPageCodes } from '../../../read-page-codes.ts'
import type { IdpContext } from '../context.ts'

export const check = defineCheck<IdpContext>({
  id: 'O33',
  title: 'The page shows a QR code that a wallet can read',
  level: 'spec',
  expectation: 'accept',
  rows: ['1.what-the-service-does.2', '1.endpoints/credential-idp.4'],
  description:
    "People log in with the wallet on their phone: what is not on the screen as a QR code can't be scanned.",
  sends: 'A login is begun, and the images of its page are read as a wallet reads them.',
  decides: 'One of them is a QR code with a presentation request.',
  async run(context) {
    const texts = await readPageCodes(context.httpAs('browser'), (await context.beginLogin()).page)
    return texts.some((text) => findLink(text, 'request') !== undefined)
      ? held('The QR code of the page holds a presentation request.')
      : broken('No image of the page is a QR code of a presentation request.', { actual: texts })
  },
})
