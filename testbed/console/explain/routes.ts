import { z } from 'zod'
import { html, type SafeHtml } from '#core/html/html.ts'
import { type AnyRoute, defineRoute, type Reply } from '#kit/define-route.ts'
import { claimMeanings } from '../claims.ts'
import type { ConsoleDependencies } from '../dependencies.ts'
import { definePage } from '../frame/define-page.ts'
import { consolePage, type Frame } from '../frame/page.ts'
import { frameTexts } from '../frame/sections.ts'
import { createNames, type Names, namesOfWallets } from '../names.ts'
import { explainTexts } from './texts.ts'

const showExplain = definePage({
  path: '/explain',
  section: 'explain',
  summary: 'Explain a message rule by rule',
  async render({ frame, running }, { environments, wallets, ownDids }) {
    const { context, environment } = running
    const holders = await namesOfWallets(wallets, environment)
    const names = createNames(frame.language, context, holders, ownDids.names(environment))
    return explainPage(frame, [...environments.keys()], names)
  },
})

const zText = z.string().max(4096).optional()

/** A time in UTC, with `Z` or, as browsers send it, without a zone. Converted to Unix seconds. */
const zTime = z.iso
  .datetime({ local: true })
  .transform((text) => Date.parse(text.endsWith('Z') ? text : `${text}Z`) / 1000)
  .refine(Number.isFinite, 'must be a valid time')

const zPasted = z.strictObject({
  text: z.string().max(2_000_000).optional(),
  image: z.string().max(8_000_000).optional(),
  environment: z.enum(['pre', 'pro']).optional(),
  type: z.string().max(200).optional(),
  holder: zText,
  audience: zText,
  nonce: zText,
  query_id: zText,
  credential_issuer: zText,
  at: zTime.optional(),
  fetch: z.boolean().default(false),
})

const explainMessage = defineRoute<ConsoleDependencies>()({
  method: 'post',
  path: '/console/explanations',
  summary: 'The verdict of each rule of a message',
  auth: 'control',
  documented: false,
  request: { body: zPasted, limit: 10_000_000 },
  responses: { 200: { description: 'The explanation', body: z.unknown() } },
  errors: ['invalid_request', 'no_message'],
  async handle({ body }, { environments, clock }) {
    // Rules and image reader are loaded with the first message.
    const { explainPasted, readPasted } = await import('./explain-message.ts')
    const message = readPasted(body)
    const now = body.at ?? clock.seconds()
    const explanation = await explainPasted(message, environments.values(), {
      now,
      environment: body.environment,
      acceptedType: body.type,
      holderDid: body.holder,
      audience: body.audience,
      nonce: body.nonce,
      queryId: body.query_id,
      credentialIssuer: body.credential_issuer,
      fetchReferences: body.fetch,
    })
    // A code from an image is not shown to the person otherwise.
    const read = body.image === undefined ? {} : { read: message }
    return {
      status: 200,
      body: { evaluatedAt: now, ...read, explanation },
    }
  },
})

export const explainRoutes: readonly AnyRoute<ConsoleDependencies>[] = [showExplain, explainMessage]

/** The form for a message; its module sends it and shows the explanation. */
function explainPage(frame: Frame, environments: readonly string[], names: Names): Reply {
  const { title, lead, form, result } = explainTexts[frame.language]
  const textField = (name: string, label: string): SafeHtml =>
    html`<p><label for="${name}">${label}</label>
<input id="${name}" name="${name}" maxlength="4096" autocomplete="off" spellcheck="false"></p>`
  return consolePage(frame, {
    title,
    section: 'explain',
    script: 'explain.js',
    style: 'explain.css',
    data: {
      texts: result,
      meanings: claimMeanings(frame.language),
      names: names.byDid,
      copy: frameTexts[frame.language].copy,
    },
    body: html`<p class="lead">${lead}</p>
<form id="explain" class="card">
<label for="message">${form.message}</label>
<textarea id="message" rows="6" maxlength="2000000" autocomplete="off" spellcheck="false" aria-describedby="drop"></textarea>
<p id="drop" class="soft">${form.drop}</p>
<details>
<summary>${form.more}</summary>
<p class="soft">${form.moreHint}</p>
<div class="fields">
${textField('audience', form.audience)}
${textField('nonce', form.nonce)}
${textField('holder', form.holder)}
${textField('query_id', form.queryId)}
${textField('credential_issuer', form.credentialIssuer)}
${textField('type', form.type)}
<p><label for="at">${form.at}</label><input id="at" name="at" type="datetime-local" step="1"></p>
<p><label for="environment">${form.environment}</label><select id="environment" name="environment">
<option value="">${form.ownEnvironment}</option>
${environments.map((name) => html`<option>${name}</option>`)}
</select></p>
</div>
<label class="choice" for="fetch"><input id="fetch" name="fetch" type="checkbox"> ${form.fetch}</label>
</details>
<div class="actions">
<button class="button primary" type="submit">${form.explain}</button>
<button class="button" type="button" id="choose">${form.choose}</button>
<button class="button" type="button" id="example">${form.example}</button>
<input id="file" type="file" hidden accept="image/png,image/jpeg,text/*,.jwt,.json">
</div>
</form>
<p id="state" role="status"></p>
<section id="result" aria-label="${result.result}" tabindex="-1"></section>`,
  })
}
