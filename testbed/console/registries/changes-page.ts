import { html, type SafeHtml } from '#core/html/html.ts'
import type { Reply } from '#kit/define-route.ts'
import type { IssuerNodeJson } from '#services/tir/domain/issuers.ts'
import { consolePage, type Frame, shorten } from '../frame/page.ts'
import { frameTexts } from '../frame/rooms.ts'
import type { Names } from '../names.ts'
import { changesTexts } from './changes-texts.ts'
import { fillHtml } from './events.ts'
import type { IssuerPage } from './read-registries.ts'
import { roomLinks } from './room-links.ts'

export interface ChangesPageOptions {
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
    room: 'registries',
    style: 'registries.css',
    script: 'registry-changes.js',
    data: { texts: texts.result, copy: frameTexts[language].copy },
    body: html`${roomLinks(frame, 'changes')}
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
