import { isTestbedError } from '#core/errors/testbed-error.ts'
import { html, type SafeHtml } from '#core/html/html.ts'
import type { Reply } from '#kit/define-route.ts'
import { consolePage, type Frame, shortened } from '../frame/page.ts'
import { frameTexts } from '../frame/rooms.ts'
import type { IssuedRecord } from './issuer-api.ts'
import { orderForms } from './order-forms.ts'
import type { Order, PortalDesk, PortalUser } from './portal-desk.ts'
import { type RecordQuery, recordSection } from './records.ts'
import { portalTexts } from './texts.ts'

/** The portal of a logged-in representative: last order, forms, credentials of the organization. */
export async function portalPage(
  frame: Frame,
  user: PortalUser,
  desk: PortalDesk,
  query: RecordQuery,
): Promise<Reply> {
  const texts = portalTexts[frame.language]
  const records = await desk.list(user).catch((error: unknown) => {
    if (isTestbedError(error)) return error
    throw error
  })
  const isList = !isTestbedError(records)
  const order = desk.lastOrder(user)
  const { invalidEmail, noEmail, noName, noAction, working } = texts
  return consolePage(frame, {
    title: frameTexts[frame.language].rooms.portal,
    room: 'portal',
    script: 'portal.js',
    style: 'portal.css',
    data: { texts: { invalidEmail, noEmail, noName, noAction, working } },
    body: html`${userCard(frame, user)}
<div id="order" aria-live="polite">${order && orderCard(frame, order, isList ? records : [])}</div>
${orderForms(frame, user)}
<section class="card" id="records">
${isList ? recordSection(frame, user, desk, records, query) : html`<p class="alert" role="alert">${records.message}</p>`}
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
