import { z } from 'zod'
import { isTestbedError, TestbedError } from '#core/errors/testbed-error.ts'
import { html, type SafeHtml } from '#core/html/html.ts'
import { type AnyRoute, defineRoute, type Reply } from '#kit/define-route.ts'
import { zPrintableText } from '#kit/z-fields.ts'
import type { IssuerNodeJson } from '#services/tir/domain/issuers.ts'
import { findEnvironment } from '#testbed/control/dependencies.ts'
import type { RunningEnvironment } from '#testbed/services/start-environment.ts'
import type { ConsoleDependencies } from '../dependencies.ts'
import { consolePage, type Frame, shorten } from '../frame/page.ts'
import { frameTexts } from '../frame/sections.ts'
import type { Names } from '../names.ts'
import { changesTexts } from './changes-texts.ts'
import { fillHtml } from './events.ts'
import { sectionLinks } from './page.ts'
import { createChainReader } from './read-chain.ts'
import type { IssuerPage } from './read-registries.ts'
import { accredit, changeKey, registerOwnDid, revokeAccreditation } from './write-changes.ts'

const zParams = z.object({ env: z.string().max(64) })
const zDid = z.string().min(1).max(200)
const zAttributeId = z.string().regex(/^(0x)?[0-9a-fA-F]{64}$/, 'must be 64 hex digits')
const zDays = z.int().min(1).max(36_500)
const zVMethodId = z.string().max(64).optional()
/** Names that a person types, separated by commas. */
const zTypes = z
  .string()
  .max(1000)
  .transform((text) => text.split(',').map((type) => type.trim()))
  .pipe(z.array(z.string().min(1).max(100)).min(1).max(20))

/** What a change did, with the receipts of its transactions. */
async function describeChange<Change extends { readonly transactions: readonly string[] }>(
  running: RunningEnvironment,
  { runtime }: ConsoleDependencies,
  change: () => Promise<Change>,
) {
  try {
    const { transactions, ...result } = await change()
    const reader = createChainReader(runtime, running)
    const receipts = transactions.map(async (hash) => {
      const found = await reader.transaction(hash)
      return { hash, method: found?.call?.name, block: found?.blockNumber, gasUsed: found?.gasUsed }
    })
    const body = { ...result, transactions: await Promise.all(receipts) }
    return { status: 201, body }
  } catch (error) {
    // The registry understood the request and rejected it, or mining is held: not an outage.
    if (!isTestbedError(error) || error.status < 500 || !('hash' in error.extra)) throw error
    const { code, message, hints, extra } = error
    throw new TestbedError({ code, status: 409, message, hints, extra })
  }
}

const registerDidRoute = defineRoute<ConsoleDependencies>()({
  method: 'post',
  path: '/console/registries/:env/dids',
  summary: 'Register a DID',
  auth: 'control',
  documented: false,
  request: {
    params: zParams,
    body: z.strictObject({
      name: z.string().trim().min(1).max(64),
      also_known_as: zPrintableText(200),
      days: zDays.default(3650),
      assertion_method: z.boolean().default(true),
      wallet_id: z.uuid().optional(),
    }),
  },
  responses: { 201: { description: 'The DID, a new private key, and the receipts' } },
  handle({ params, body }, dependencies) {
    const running = findEnvironment(dependencies, params.env)
    const { name, also_known_as: alsoKnownAs, days, assertion_method: assertionMethod } = body
    const options = { name, alsoKnownAs, days, assertionMethod, walletId: body.wallet_id }
    return describeChange(running, dependencies, () =>
      registerOwnDid(running, dependencies, options),
    )
  },
})

const changeKeyRoute = defineRoute<ConsoleDependencies>()({
  method: 'post',
  path: '/console/registries/:env/keys',
  summary: 'Add, roll, expire or revoke a key of a DID',
  auth: 'control',
  documented: false,
  request: {
    params: zParams,
    body: z.strictObject({
      did: zDid,
      operation: z.enum(['add', 'roll', 'expire', 'revoke']),
      v_method_id: zVMethodId,
      days: zDays.default(3650),
    }),
  },
  responses: { 201: { description: 'A new private key, and the receipts' } },
  handle({ params, body }, dependencies) {
    const running = findEnvironment(dependencies, params.env)
    const { did, operation, v_method_id: vMethodId, days } = body
    return describeChange(running, dependencies, () =>
      changeKey(running, dependencies, { did, operation, vMethodId, days }),
    )
  },
})

const accreditRoute = defineRoute<ConsoleDependencies>()({
  method: 'post',
  path: '/console/registries/:env/accreditations',
  summary: 'Accredit a DID',
  auth: 'control',
  documented: false,
  request: {
    params: zParams,
    body: z.strictObject({
      did: zDid,
      accreditor: zDid,
      issuer_type: z.enum(['TAO', 'TI']),
      types: zTypes,
      days: zDays.default(3650),
    }),
  },
  responses: { 201: { description: 'The accreditation and the receipts' } },
  handle({ params, body }, dependencies) {
    const running = findEnvironment(dependencies, params.env)
    const { did, accreditor: accreditorDid, issuer_type: issuerType, types, days } = body
    const options = { did, accreditorDid, issuerType, types, days }
    return describeChange(running, dependencies, () => accredit(running, dependencies, options))
  },
})

const revokeRoute = defineRoute<ConsoleDependencies>()({
  method: 'post',
  path: '/console/registries/:env/revocations',
  summary: 'Revoke an accreditation',
  auth: 'control',
  documented: false,
  request: {
    params: zParams,
    body: z.strictObject({ did: zDid, attribute_id: zAttributeId }),
  },
  responses: { 201: { description: 'The receipt' } },
  handle({ params, body }, dependencies) {
    const running = findEnvironment(dependencies, params.env)
    const attributeId = body.attribute_id.replace(/^0x/, '').toLowerCase()
    const options = { did: body.did, attributeId }
    return describeChange(running, dependencies, () =>
      revokeAccreditation(running, dependencies, options),
    )
  },
})

export const changeRoutes: readonly AnyRoute<ConsoleDependencies>[] = [
  registerDidRoute,
  changeKeyRoute,
  accreditRoute,
  revokeRoute,
]

interface ChangesPageOptions {
  readonly names: Names
  readonly issuers: IssuerPage | undefined
  /** DIDs whose key the testbed has. */
  readonly signers: readonly string[]
  /** Those that a form may suggest for an accreditation. */
  readonly subjects: readonly string[]
  /** The credential types of the environment. */
  readonly credentialTypes: readonly string[]
  /** Wallets with a key that can control a DID. */
  readonly wallets: readonly { readonly id: string; readonly name: string }[]
}

/** Forms that register a DID, accredit it, and revoke an accreditation. */
export function changesPage(frame: Frame, options: ChangesPageOptions): Reply {
  const { language, environment } = frame
  const texts = changesTexts[language]
  return consolePage(frame, {
    title: String(fillHtml(texts.title, { environment })),
    section: 'registries',
    style: 'registries.css',
    script: 'registry-changes.js',
    data: { texts: texts.result, copy: frameTexts[language].copy },
    body: html`${sectionLinks(frame, 'changes')}
<p class="lead">${texts.lead}</p>
<div class="columns">
${registerCard(frame, options)}
<div>${accreditCard(frame, options)}${revokeCard(frame, options)}</div>
</div>`,
  })
}

/** A form that sends its members to `/console/registries/:env/…`; its result appears below it. */
function changeForm(path: string, submit: string, fields: SafeHtml, kind = 'primary'): SafeHtml {
  return html`<form data-write="${path}">${fields}<button class="button ${kind}">${submit}</button></form>
<div class="result"></div>`
}

function registerCard({ language }: Frame, { wallets }: ChangesPageOptions): SafeHtml {
  const texts = changesTexts[language].register
  const fields = html`<label for="name">${texts.name}</label><input id="name" name="name" required maxlength="64">
<label for="also-known-as">${texts.alsoKnownAs}</label><input id="also-known-as" name="also_known_as" required maxlength="200" value="urn:oid:organizationIdentifier:VATES-X99999999" spellcheck="false">
<label for="wallet-id">${texts.key}</label><select id="wallet-id" name="wallet_id"><option value="">${texts.newKey}</option>${wallets.map(({ id, name }) => html`<option value="${id}">${fillHtml(texts.walletKey, { name })}</option>`)}</select>
<label for="days">${texts.days}</label><input id="days" name="days" type="number" min="1" max="36500" value="3650" required>
<p class="choice"><input id="assertion" type="checkbox" name="assertion_method" checked><label for="assertion">${texts.assertionMethod}</label></p>`
  return html`<section class="card"><h2>${texts.title}</h2><p>${texts.about}</p>${changeForm('dids', texts.submit, fields)}</section>`
}

function accreditCard(
  { language }: Frame,
  { names, signers, subjects, credentialTypes }: ChangesPageOptions,
): SafeHtml {
  const texts = changesTexts[language].accredit
  const option = (did: string) => html`<option value="${did}">${labelOf(names, did)}</option>`
  const fields = html`<label for="subject">${texts.did}</label><input id="subject" name="did" required maxlength="200" list="subjects" spellcheck="false" autocomplete="off"><datalist id="subjects">${subjects.map(option)}</datalist>
<label for="accreditor">${texts.accreditor}</label><select id="accreditor" name="accreditor" required>${signers.map(option)}</select>
<label for="issuer-type">${texts.role}</label><select id="issuer-type" name="issuer_type"><option value="TI">${texts.roles.TI}</option><option value="TAO">${texts.roles.TAO}</option></select>
<label for="types">${texts.types}</label><input id="types" name="types" required maxlength="1000" value="${credentialTypes.join(', ')}" spellcheck="false">`
  return html`<section class="card"><h2>${texts.title}</h2><p>${texts.about}</p>${changeForm('accreditations', texts.submit, fields)}</section>`
}

function revokeCard({ language }: Frame, { names, issuers }: ChangesPageOptions): SafeHtml {
  const texts = changesTexts[language].revoke
  const active = issuers?.items.filter(({ revokedAt }) => revokedAt === null) ?? []
  const option = ({ did, attributeId, publishedAs }: IssuerNodeJson) =>
    html`<option value="${did} ${attributeId}">${labelOf(names, did)} · ${publishedAs} · ${shorten(attributeId)}</option>`
  const fields = html`<label for="accreditation">${texts.accreditation}</label><select id="accreditation" name="accreditation" required><option value="">${texts.choose}</option>${active.map(option)}</select>`
  return html`<section class="card"><h2>${texts.title}</h2><p class="warning">${texts.about}</p>
${active.length === 0 ? html`<p>${texts.none}</p>` : changeForm('revocations', texts.submit, fields, 'danger')}</section>`
}

function labelOf(names: Names, did: string): string {
  const name = names.of(did)
  return name === undefined ? shorten(did, 20, 6) : `${name} (${shorten(did, 20, 6)})`
}

/** Forms for the keys of a DID whose key the console has. */
export function keyCard({ language }: Frame, did: string, keys: readonly string[]): SafeHtml {
  const texts = changesTexts[language].keys
  const chosen = html`<label for="key">${texts.key}</label><select id="key" name="v_method_id">${keys.toReversed().map((key) => html`<option value="${key}">${shorten(key)}</option>`)}</select>`
  const operations = (['roll', 'add', 'expire', 'revoke'] as const).map(
    (operation, index) =>
      html`<p class="choice"><input id="${operation}" type="radio" name="operation" value="${operation}"${index === 0 && html` checked`}><label for="${operation}">${texts.operations[operation]}</label></p>`,
  )
  return html`<section class="card"><h2>${texts.title}</h2><p>${texts.about}</p>
${changeForm(
  'keys',
  texts.submit,
  html`<input type="hidden" name="did" value="${did}"><fieldset><legend>${texts.operation}</legend>${operations}</fieldset>${chosen}`,
)}</section>`
}
