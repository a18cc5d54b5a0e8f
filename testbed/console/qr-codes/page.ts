import { html } from '#core/html/html.ts'
import type { Reply } from '#kit/define-route.ts'
import { consolePage, type Frame } from '../frame/page.ts'
import { frameTexts } from '../frame/rooms.ts'
import type { ListedCode } from './test-codes.ts'
import { qrCodesTexts } from './texts.ts'

/** The list of test codes; its module makes the chosen one. */
export function qrCodesPage(frame: Frame, codes: readonly ListedCode[]): Reply {
  const { language } = frame
  const texts = qrCodesTexts[language]
  return consolePage(frame, {
    title: frameTexts[language].rooms['qr-codes'],
    room: 'qr-codes',
    script: 'qr-codes.js',
    style: 'qr-codes.css',
    data: { texts, codes, profilePath: frame.documentationPath },
    body: html`<p class="lead">${texts.lead}</p>
<div id="qr-codes"></div>`,
  })
}
