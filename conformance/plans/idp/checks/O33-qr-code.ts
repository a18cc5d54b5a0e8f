import { findLink } from '#core/link/find-link.ts'
import { broken, defineCheck, held, inconclusive } from '../../../kit/check.ts'
import { readPageCodes } from '../../../kit/read-pages.ts'
import type { IdpContext } from '../context.ts'

export const check = defineCheck<IdpContext>({
  id: 'O33',
  title: 'The page shows a QR code that a wallet can read',
  level: 'spec',
  expectation: 'accept',
  rows: ['1.what-the-service-does.2', '1.endpoints/credential-idp.4'],
  description:
    "People log in with the wallet on their phone: what is not on the screen as a QR code can't be scanned.",
  sends:
    'A login is begun, and the PNG and JPEG images of its page are read as a wallet reads them.',
  decides:
    'One of them is a QR code with a presentation request. A page that draws it otherwise (SVG, a script) decides nothing.',
  async run(context) {
    const { page } = await context.beginLogin()
    const codes = await readPageCodes(context.httpAs('browser'), page)
    if (codes.some((code) => findLink(code, 'request') !== undefined)) {
      return held('The QR code of the page holds a presentation request.')
    }
    return codes.length > 0
      ? broken('The QR code of the page is not that of a presentation request.', { actual: codes })
      : inconclusive('The page has no QR code as an image that the kit can read.')
  },
})
