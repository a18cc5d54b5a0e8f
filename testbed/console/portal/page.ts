import { isTestbedError } from '#core/errors/testbed-error.ts'
import { html, type SafeHtml, timeElement } from '#core/html/html.ts'
import type { Power } from '#core/power/power.ts'
import type { Reply } from '#kit/define-route.ts'
import { readOwnPowers } from '#services/issuer/domain/bearer-claims.ts'
import { type LocalAccount, localAccountsOf } from '#testbed/services/environment-context.ts'
import type { RunningEnvironment } from '#testbed/services/start-environment.ts'
import { consolePage, type Frame, shortened } from '../frame/page.ts'
import { frameTexts } from '../frame/sections.ts'
import type { FailedSignIn, SignedIn } from '../sign-in/create-sign-ins.ts'
import type { IssuedRecord } from './issuer-api.ts'
import { type Order, organizationOf, type Portal, type PortalUser } from './portal.ts'
import { portalTexts } from './texts.ts'

/** The portal of a logged-in representative: last order, forms, credentials of the organization. */
export async function portalPage(
  frame: Frame,
  user: PortalUser,
  portal: Portal,
  query: RecordQuery,
): Promise<Reply> {
  const texts = portalTexts[frame.language]
  const records = await portal.list(user).catch((error: unknown) => {
    if (isTestbedError(error)) return error
    throw error
  })
  const isList = !isTestbedError(records)
  const order = portal.lastOrder(user)
  const { invalidEmail, noEmail, noName, noAction, working } = texts
  return consolePage(frame, {
    title: frameTexts[frame.language].sections.portal,
    section: 'portal',
    script: 'portal.js',
    style: 'portal.css',
    data: { texts: { invalidEmail, noEmail, noName, noAction, working } },
    body: html`${userCard(frame, user)}
<div id="order" aria-live="polite">${order && orderCard(frame, order, isList ? records : [])}</div>
${orderForms(frame, user)}
<section class="card" id="records">
${isList ? recordSection(frame, { user, portal, records, query }) : html`<p class="alert" role="alert" lang="en">${records.message}</p>`}
</section>`,
  })
}

function userCard(
  { language, environment }: Frame,
  { signedIn: { claims } }: PortalUser,
): SafeHtml {
  const texts = portalTexts[language]
  return html`<section class="card row apart" id="user">
<p>${texts.signedInAs} <strong>${claims.name}</strong>, ${claims.organization} <span class="soft">${claims.organization_identifier}</span></p>
<form class="sign-out" data-call="DELETE /console/sign-ins/${environment}/portal">
<button class="button small" id="sign-out">${texts.signOut}</button>
</form>
</section>`
}

function orderCard(
  frame: Frame,
  order: Order,
  records: readonly IssuedRecord[],
): SafeHtml | undefined {
  const texts = portalTexts[frame.language]
  const { environment, built } = frame
  const record = records.find((each) => each.credential_id === order.credentialId)
  if (record?.status === 'issued') return html`<p class="done">${texts.collected}</p>`
  // Revoked or expired: no wallet can collect it.
  if (record !== undefined && record.status !== 'pending') return undefined
  if (order.kind === 'employee') {
    return html`<section class="card">
<h2>${texts.mailSent}</h2>
<p>${texts.mailSentTo} ${order.email}</p>
${built.has('/inbox') && html`<p class="actions"><a class="button primary" href="/inbox?env=${environment}">${texts.openInbox}</a></p>`}
</section>`
  }
  return html`<section class="card own-offer">
<img src="data:image/png;base64,${Buffer.from(order.qrPng).toString('base64')}" alt="${texts.qrAlternative}">
<div>
<h2>${texts.ownReady}</h2>
<p>${texts.ownReadyLead}</p>
${order.link !== undefined && offerActions(frame, order.link)}
</div>
</section>`
}

function offerActions({ language, environment, built }: Frame, link: string): SafeHtml {
  const texts = portalTexts[language]
  const inConsole = new URLSearchParams({ env: environment, link })
  const isOffer = link.startsWith('openid-credential-offer:')
  return html`<p>${texts.offerLink}: ${shortened(language, link, 32, 8)}</p>
<p class="actions">
${built.has('/wallets') && html`<a class="button primary" href="/wallets?${inConsole}">${texts.acceptHere}</a>`}
${isOffer && html`<a class="button" href="${link}">${texts.openWallet}</a>`}
</p>`
}

/** A power that no seeded organization may grant. */
const unauthorizedPower: Power = {
  type: 'domain',
  domain: 'ORG',
  function: 'Payments',
  action: ['approve'],
}

/**
 * The forms for the own credential and for an employee's. The page's module validates them and
 * sends the chosen powers as JSON.
 */
function orderForms(frame: Frame, { signedIn }: PortalUser): SafeHtml {
  const { language, environment } = frame
  const texts = portalTexts[language]
  const powers = readOwnPowers(signedIn.claims)
  const noAction = html`<p class="problem" data-problem="power" role="alert"></p>`
  return html`<div class="columns">
<section class="card"><h2>${texts.own}</h2>
<p class="soft">${texts.ownLead}</p>
<form data-order="/console/portal/${environment}/representative" id="own">
${powerFields(frame, powers, { form: 'own', areChosen: true })}
${noAction}
<p class="actions"><button class="button primary">${texts.requestOwn}</button></p>
</form>
</section>
<section class="card"><h2>${texts.employee}</h2>
<p class="soft">${texts.employeeLead}</p>
<form data-order="/console/portal/${environment}/employee" id="employee" novalidate>
<label for="email">${texts.email}</label>
<input id="email" name="email" type="email" maxlength="254" required autocomplete="off" spellcheck="false" aria-describedby="email-problem" placeholder="marta.soler@example.com">
<p class="problem" id="email-problem" data-problem="email" role="alert"></p>
<div class="pair">
${nameField('firstName', texts.firstName, 'Marta')}
${nameField('lastName', texts.lastName, 'Soler')}
<div><label for="employeeId">${texts.employeeId} <span class="soft">(${texts.optional})</span></label>
<input id="employeeId" name="employeeId" maxlength="256" autocomplete="off" placeholder="E-1024"></div>
<div><label for="language">${texts.mailLanguage}</label>
<select id="language" name="language">
<option value="">${texts.mailLanguageDefault}</option>
<option value="en" lang="en">English</option>
<option value="es" lang="es">Español</option>
</select></div>
</div>
${powerFields(frame, powers, { form: 'employee', areChosen: false })}
${noAction}
<p class="actions"><button class="button primary">${texts.requestForEmployee}</button></p>
</form>
</section>
</div>`
}

/** Required: the issuer would otherwise name the person after the email address. */
function nameField(name: string, label: string, example: string): SafeHtml {
  return html`<div><label for="${name}">${label}</label>
<input id="${name}" name="${name}" maxlength="256" required autocomplete="off" aria-describedby="${name}-problem" placeholder="${example}">
<p class="problem" id="${name}-problem" data-problem="${name}" role="alert"></p></div>`
}

/** A checkbox for each action; its value is the place of the power in the list, and the action. */
function powerFields(
  { language }: Frame,
  powers: readonly Power[],
  { form, areChosen }: { readonly form: string; readonly areChosen: boolean },
): SafeHtml {
  const texts = portalTexts[language]
  const offered = [...powers, unauthorizedPower]
  const choices = (power: Power, index: number, isChosen: boolean) =>
    power.action.map(
      (action) => html`<label class="choice">
<input type="checkbox" name="power" value="${index}:${action}"${isChosen && html` checked`}> ${action}</label>`,
    )
  return html`<fieldset data-powers="${JSON.stringify(offered)}" id="${form}-powers">
<legend>${texts.powers}</legend>
${powers.length === 0 && html`<p>${texts.noPowers}</p>`}
${powers.map(
  (
    power,
    index,
  ) => html`<div class="power" role="group" aria-label="${power.function}"><span><strong>${power.function}</strong> <span class="soft">${power.domain}</span></span>
${choices(power, index, areChosen)}</div>`,
)}
<details><summary>${texts.rejected}</summary>
<p class="soft">${texts.rejectedLead}</p>
<div class="power" role="group" aria-label="${unauthorizedPower.function}"><span><strong>${unauthorizedPower.function}</strong> <span class="soft">${unauthorizedPower.domain}</span></span>
${choices(unauthorizedPower, powers.length, false)}</div>
</details>
</fieldset>`
}

interface RecordQuery {
  readonly state?: IssuedRecord['status'] | undefined
  /** From 1. */
  readonly page: number
}

const pageSize = 25
const statuses = ['pending', 'issued', 'revoked', 'expired'] as const

interface RecordList {
  readonly user: PortalUser
  readonly portal: Portal
  readonly records: readonly IssuedRecord[]
  readonly query: RecordQuery
}

/** The credentials of the organization: who, in which state and why, with a way to revoke. */
function recordSection(
  frame: Frame,
  { user, portal, records, query: { state, page } }: RecordList,
): SafeHtml {
  const texts = portalTexts[frame.language]
  const matching = records.filter(({ status }) => state === undefined || status === state)
  const shown = matching.slice((page - 1) * pageSize, page * pageSize)
  const heading = `${texts.records} ${user.signedIn.claims.organization ?? organizationOf(user)}`
  const addressOf = (wanted: RecordQuery['state'], number: number) => {
    const query = new URLSearchParams({ env: frame.environment })
    if (wanted !== undefined) query.set('state', wanted)
    if (number > 1) query.set('page', String(number))
    return `/portal?${query}#records`
  }
  const filter = (wanted: RecordQuery['state'], label: string) =>
    html`<a href="${addressOf(wanted, 1)}"${wanted === state && html` aria-current="true"`}>${label}</a>`
  return html`<h2>${heading}</h2>
<p class="soft">${texts.recordsLead}</p>
<p class="filters" role="group" aria-label="${texts.filter}">${filter(undefined, texts.all)}${statuses.map((each) => filter(each, texts.states[each]))}</p>
${
  shown.length === 0
    ? html`<p>${texts.noRecords}</p>`
    : html`<ul class="list records">${shown.map((record) => recordEntry(frame, portal, record))}</ul>`
}
<p class="actions">
${page > 1 && html`<a class="button small" href="${addressOf(state, page - 1)}">${texts.newer}</a>`}
${matching.length > page * pageSize && html`<a class="button small" href="${addressOf(state, page + 1)}">${texts.older}</a>`}
</p>`
}

const colours = { pending: 'wait', issued: 'good', revoked: 'bad', expired: 'bad' } as const

function recordEntry(frame: Frame, portal: Portal, record: IssuedRecord): SafeHtml {
  const { language } = frame
  const texts = portalTexts[language]
  const { status, vc_type: type, credential_id: id } = record
  const holder = portal.holderOf(id)
  const person =
    holder === undefined
      ? html`<span class="soft">${texts.unknownPerson}</span>`
      : html`<strong>${holder.name}</strong><span class="soft">${holder.email}</span>`
  return html`<li data-credential="${id}">
<div class="lines">${person}</div>
<div class="lines"><span><span class="badge ${colours[status]}">${texts.states[status]}</span> ${texts.stateReasons[status]}</span>
<span class="soft">${texts.changed} ${timeElement(record.update_at)}</span></div>
<div class="lines"><span>${type}</span>${shortened(language, id, 15, 4)}
<span class="soft">${texts.created} ${timeElement(record.creation_at)}</span></div>
<div>${(status === 'pending' || status === 'issued') && revocation(frame, id)}</div>
</li>`
}

/** Revocation cannot be undone, so it takes two steps. */
function revocation({ language, environment }: Frame, id: string): SafeHtml {
  const texts = portalTexts[language]
  return html`<details class="revoke"><summary class="button small danger">${texts.revoke}</summary>
<form class="revocation" data-call="POST /console/portal/${environment}/revocations">
<p>${texts.revokeLead}</p>
<input type="hidden" name="credential_id" value="${id}">
<button class="button small danger">${texts.revokeNow}</button>
</form></details>`
}

/**
 * The representatives who may log in, with their passwords, since this is a testbed.
 * @param result of the last login: failed, or expired
 */
export function signInPage(
  frame: Frame,
  { context }: RunningEnvironment,
  result: SignedIn | FailedSignIn | undefined,
): Reply {
  const texts = portalTexts[frame.language]
  return consolePage(frame, {
    title: frameTexts[frame.language].sections.portal,
    section: 'portal',
    style: 'portal.css',
    body: html`<p class="lead">${texts.lead}</p>
${result && problem(frame, result)}
<h2>${texts.withAccount}</h2>
<p>${texts.withAccountLead}</p>
<div class="tiles" id="accounts">${localAccountsOf(context).map((each) => accountCard(frame, each))}</div>
<h2>${texts.withWallet}</h2>
<p>${texts.withWalletLead}</p>
<p class="actions"><a class="button" id="with-wallet" href="/portal/sign-in?env=${frame.environment}">${texts.signInWithWallet}</a></p>`,
  })
}

function accountCard(
  { language, environment }: Frame,
  { organization: { organization, representative }, username, password }: LocalAccount,
): SafeHtml {
  const texts = portalTexts[language]
  const name = `${representative.givenName} ${representative.familyName}`
  const query = new URLSearchParams({ env: environment, user: username })
  return html`<section class="card account">
<h3>${name}</h3>
<p>${organization}</p>
<dl class="stacked">
<dt>${texts.userName}</dt><dd>${shortened(language, username, 40, 0)}</dd>
<dt>${texts.password}</dt><dd>${shortened(language, password, 8, 4)}</dd>
</dl>
<p class="actions"><a class="button primary" data-copy="${password}" href="/portal/sign-in?${query}">${texts.signInAs} ${representative.givenName}</a></p>
</section>`
}

function problem({ language }: Frame, result: SignedIn | FailedSignIn): SafeHtml {
  const texts = portalTexts[language]
  if (result.outcome === 'signed-in') {
    return html`<p class="warning" role="alert">${texts.expired}</p>`
  }
  const { code, description } = result
  const reason = code === 'provider_unavailable' ? texts.providerUnavailable : texts.cancelled
  return html`<div class="alert" role="alert" id="failure"><strong>${texts.signInFailed}</strong> ${reason}
<p class="code" lang="en">${code}${description !== '' && html`: ${description}`}</p></div>`
}
