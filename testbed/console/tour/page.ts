import { html } from '#core/html/html.ts'
import type { Reply } from '#kit/define-route.ts'
import type { RunningEnvironment } from '#testbed/services/running-environment.ts'
import { consolePage, type Frame } from '../frame/page.ts'
import { frameTexts } from '../frame/rooms.ts'
import { createNames } from '../names.ts'
import { walletTexts } from '../wallets/texts.ts'
import { tourTexts } from './texts.ts'
import { protagonistOf } from './tour-parts.ts'
import { tourSteps } from './tours.ts'

/** The tour; its module does the steps. */
export function tourPage(frame: Frame, { context }: RunningEnvironment): Reply {
  const { language } = frame
  const tour = tourTexts[language]
  const texts = walletTexts[language]
  const { name, organization } = protagonistOf(context)
  return consolePage(frame, {
    title: tour.title,
    room: 'tour',
    script: 'tour.js',
    style: 'tour.css',
    data: {
      tour,
      // Those of the card and the wallet's steps.
      texts,
      language,
      steps: tourSteps,
      relyingParty: frameTexts[language].rooms['relying-party'],
      person: name,
      organization: organization.organization,
      names: createNames(language, context).byDid,
      copy: frameTexts[language].copy,
    },
    body: html`<div id="tour"></div>`,
  })
}
