import { html, type SafeHtml } from '#core/html/html.ts'
import type { Reply } from '#kit/define-route.ts'
import { type LocalAccount, localAccountsOf } from '#testbed/services/environment-context.ts'
import type { RunningEnvironment } from '#testbed/services/running-environment.ts'
import { consolePage, type Frame, shortened } from '../frame/page.ts'
import { frameTexts } from '../frame/rooms.ts'
import type { FailedSignIn, SignedIn } from '../sign-in/create-sign-ins.ts'
import { portalTexts } from './texts.ts'

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
    title: frameTexts[frame.language].rooms.portal,
    room: 'portal',
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
