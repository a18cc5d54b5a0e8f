import { z } from 'zod'
import { TestbedError } from '#core/errors/testbed-error.ts'
import { html } from '#core/html/html.ts'
import { paragraphOf } from '#core/profile/paragraph.ts'
import { paragraphOfRule } from '#core/profile/rule-paragraphs.ts'
import { createQrPng } from '#core/qr/qr-code.ts'
import { type AnyRoute, defineRoute } from '#kit/define-route.ts'
import type { Language } from '#kit/language.ts'
import { findEnvironment } from '#testbed/control/dependencies.ts'
import { orderDefectiveCredential } from '#testbed/control/routes/defective-credentials.ts'
import { createServiceClient } from '#testbed/services/service-client.ts'
import type { RunningEnvironment } from '#testbed/services/start-environment.ts'
import type { ConsoleDependencies } from '../dependencies.ts'
import { definePage } from '../frame/define-page.ts'
import { consolePage } from '../frame/page.ts'
import { frameTexts } from '../frame/sections.ts'
import { createOfferCode, offerCodes } from './offer-codes.ts'
import { createRequestCode, requestCodes } from './request-codes.ts'
import {
  type CodeGroup,
  type CreatedCode,
  codeGroups,
  type ListedCode,
  type TestCode,
} from './test-codes.ts'
import { qrCodesTexts } from './texts.ts'

function listCode(group: CodeGroup, language: Language, code: TestCode): ListedCode {
  const { name, rejected = false, rule, statement, texts } = code
  const { title, about } = texts[language]
  return {
    group,
    name,
    title,
    about,
    isEnglish: false,
    rejected,
    entails: [],
    ...ruleOf(rule, statement),
  }
}

function ruleOf(
  rule: string | undefined,
  statement?: string,
): Pick<ListedCode, 'rule' | 'paragraph'> {
  const paragraph = rule === undefined ? statement && paragraphOf(statement) : paragraphOfRule(rule)
  return { ...(rule !== undefined && { rule }), ...(paragraph && { paragraph }) }
}

/** Every code. The defects are loaded with the first visit: the testbed starts without them. */
async function listCodes(language: Language): Promise<readonly ListedCode[]> {
  const { allDefects } = await import('#conformance/world/defects/create-credential-with-defect.ts')
  return [
    ...offerCodes.map((code) => listCode('offers', language, code)),
    ...allDefects.map(({ name, description, rule, entails = [] }) => ({
      group: 'credentials' as const,
      name,
      title: description.replace(/\.$/, ''),
      about: name,
      isEnglish: true,
      rejected: rule !== undefined,
      entails,
      ...ruleOf(rule),
    })),
    ...requestCodes.map((code) => listCode('requests', language, code)),
  ]
}

async function createCode(
  running: RunningEnvironment,
  group: CodeGroup,
  name: string,
): Promise<CreatedCode> {
  if (group === 'credentials') {
    const { offerUri, pin } = await orderDefectiveCredential(running, {
      defect: name,
      by: 'reference',
    })
    return { link: offerUri, ...(pin !== undefined && { pin }) }
  }
  const offer = group === 'offers' && offerCodes.find((code) => code.name === name)
  if (offer) return createOfferCode(running, offer)
  const request = group === 'requests' && requestCodes.find((code) => code.name === name)
  if (request) return createRequestCode(running, request)
  const message = 'There is no test QR code with this name.'
  throw new TestbedError({ code: 'unknown_test_code', status: 404, message })
}

const showQrCodes = definePage({
  path: '/qr-codes',
  section: 'qr-codes',
  summary: 'QR codes for a wallet under test',
  async render({ frame, language }) {
    const texts = qrCodesTexts[language]
    return consolePage(frame, {
      title: frameTexts[language].sections['qr-codes'],
      section: 'qr-codes',
      script: 'qr-codes.js',
      style: 'qr-codes.css',
      data: { texts, codes: await listCodes(language) },
      body: html`<p class="lead">${texts.lead}</p>
<div id="qr-codes"></div>`,
    })
  },
})

const makeCode = defineRoute<ConsoleDependencies>()({
  method: 'post',
  path: '/console/test-codes',
  summary: 'Make a test QR code',
  auth: 'control',
  documented: false,
  request: {
    body: z.strictObject({
      env: z.string().max(64),
      group: z.enum(codeGroups),
      name: z.string().max(64),
    }),
  },
  responses: { 201: { description: 'The link, its QR code as PNG, and the PIN of an offer' } },
  async handle({ body }, dependencies) {
    const running = findEnvironment(dependencies, body.env)
    const code = await createCode(running, body.group, body.name)
    const qrPng = createQrPng(code.link).toString('base64')
    return { status: 201, body: { ...code, qrPng } }
  },
})

const zSession = z.object({ status: z.enum(['PENDING', 'SUCCESS', 'FAILED']) })

const readAnswer = defineRoute<ConsoleDependencies>()({
  method: 'get',
  path: '/console/test-codes/:session',
  summary: 'Whether a wallet has answered a test request',
  auth: 'control',
  documented: false,
  request: {
    params: z.object({ session: z.string().regex(/^[\w-]{1,128}$/) }),
    query: z.object({ env: z.string().max(64) }),
  },
  responses: { 200: { description: 'The status of the session at the verifier' } },
  async handle({ params, query }, dependencies) {
    const { context } = findEnvironment(dependencies, query.env)
    const verifier = createServiceClient(context, 'verifier', { caller: 'console' })
    const { json } = await verifier.getJson(`/sessions/${params.session}`)
    const status = zSession.safeParse(json).data?.status ?? 'PENDING'
    return { status: 200, body: { status } }
  },
})

export const qrCodesRoutes: readonly AnyRoute<ConsoleDependencies>[] = [
  showQrCodes,
  makeCode,
  readAnswer,
]
