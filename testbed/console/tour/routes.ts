import { z } from 'zod'
import { html } from '#core/html/html.ts'
import { type AnyRoute, defineRoute, type Reply } from '#kit/define-route.ts'
import { type Language, languageOf } from '#kit/language.ts'
import { findEnvironment } from '#testbed/control/dependencies.ts'
import type { RunningEnvironment } from '#testbed/services/start-environment.ts'
import { explainClaims } from '../claims.ts'
import type { ConsoleDependencies } from '../dependencies.ts'
import { definePage } from '../frame/define-page.ts'
import { consolePage, type Frame } from '../frame/page.ts'
import { frameTexts } from '../frame/sections.ts'
import { createNames } from '../names.ts'
import { describeConsoleWallet } from '../wallets/console-wallets.ts'
import { walletTexts } from '../wallets/texts.ts'
import { tourTexts } from './texts.ts'
import { protagonistOf } from './tour-parts.ts'
import { type Tour, tourSteps } from './tour-steps.ts'
import type { Tours } from './tours.ts'

const zTourPath = z.object({ id: z.uuid() })
const responses = { 200: { description: 'The tour' } }

/** A tour as its page needs it: results, the wallet, and the exchanges of each step. */
async function describeTour(tour: Tour, tours: Tours, language: Language) {
  const { id, done, results } = tour
  const wallet = tours.walletOf(tour)
  const exchanges = done.map(
    async (step) =>
      [
        step,
        (await tours.exchangesOf(id, step)).map(({ id, from, to }) => ({ id, from, to })),
      ] as const,
  )
  const claims = results.present?.claims
  return {
    id,
    done,
    results: {
      ...results,
      ...(results.present && {
        present: { ...results.present, claims: claims && explainClaims(claims, language) },
      }),
    },
    wallet: wallet && (await describeConsoleWallet(wallet)),
    exchanges: Object.fromEntries(await Promise.all(exchanges)),
  }
}

const showTour = definePage({
  path: '/tour',
  section: 'tour',
  summary: 'The tour: issue, log in, revoke',
  render: ({ frame, running }) => tourPage(frame, running),
})

const startTour = defineRoute<ConsoleDependencies>()({
  method: 'post',
  path: '/console/tours',
  summary: 'Start a tour',
  auth: 'control',
  documented: false,
  request: { body: z.strictObject({ env: z.string().max(64) }) },
  responses: { 201: { description: 'The tour' } },
  async handle({ body, request }, dependencies) {
    const { tours } = dependencies
    const tour = tours.start(findEnvironment(dependencies, body.env))
    return { status: 201, body: await describeTour(tour, tours, languageOf(request)) }
  },
})

const readTour = defineRoute<ConsoleDependencies>()({
  method: 'get',
  path: '/console/tours/:id',
  summary: 'A tour',
  auth: 'control',
  documented: false,
  request: { params: zTourPath },
  responses,
  handle: async ({ params, request }, { tours }) => ({
    status: 200,
    body: await describeTour(tours.find(params.id), tours, languageOf(request)),
  }),
})

const performStep = defineRoute<ConsoleDependencies>()({
  method: 'post',
  path: '/console/tours/:id/steps/:step',
  summary: 'Do a step of a tour',
  auth: 'control',
  documented: false,
  request: { params: zTourPath.extend({ step: z.enum(tourSteps) }), body: z.strictObject({}) },
  responses,
  async handle({ params, request }, { tours }) {
    const tour = await tours.perform(params.id, params.step)
    return { status: 200, body: await describeTour(tour, tours, languageOf(request)) }
  },
})

const endTour = defineRoute<ConsoleDependencies>()({
  method: 'delete',
  path: '/console/tours/:id',
  summary: 'End a tour and delete its wallet',
  auth: 'control',
  documented: false,
  request: { params: zTourPath },
  responses: { 204: { description: 'Ended' } },
  handle({ params }, { tours }) {
    tours.end(params.id)
    return { status: 204 }
  },
})

export const tourRoutes: readonly AnyRoute<ConsoleDependencies>[] = [
  showTour,
  startTour,
  readTour,
  performStep,
  endTour,
]

/** The tour; its module does the steps. */
function tourPage(frame: Frame, { context }: RunningEnvironment): Reply {
  const { language } = frame
  const tour = tourTexts[language]
  const texts = walletTexts[language]
  const { name, organization } = protagonistOf(context)
  return consolePage(frame, {
    title: tour.title,
    section: 'tour',
    script: 'tour.js',
    style: 'tour.css',
    data: {
      tour,
      // Those of the card and the wallet's steps.
      texts,
      language,
      steps: tourSteps,
      relyingParty: frameTexts[language].sections['relying-party'],
      person: name,
      organization: organization.organization,
      names: createNames(language, context).byDid,
      copy: frameTexts[language].copy,
    },
    body: html`<div id="tour"></div>`,
  })
}
