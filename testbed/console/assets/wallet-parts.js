// What wallets and tour draw alike: the card of a credential, the steps of a wallet.
import { fill } from './kit.js'
import { html, nothing } from './lit-html/lit-html.js'
import { namedDid, shownValue } from './names.js'

const dayOf = (seconds, language) =>
  seconds === undefined
    ? '…'
    : new Date(seconds * 1000).toLocaleDateString(language, {
        dateStyle: 'medium',
        timeZone: 'UTC',
      })

const badges = { valid: 'good', revoked: 'bad', expired: 'bad', early: 'wait', unknown: 'wait' }

/** By the clock of the testbed, which may be moved. */
function statusOf({ validFrom, validUntil }, { status = 'asking', at } = {}) {
  if (status === 'revoked' || at === undefined) return status
  if (validUntil !== undefined && validUntil <= at) return 'expired'
  if (validFrom !== undefined && validFrom > at + 60) return 'early'
  return status
}

/**
 * A credential as a card. `page` has the texts of the wallets section, the language, the names by DID
 * and the label `copy`; `status` is undefined until it is known.
 */
export function credentialCard(credential, page, { status, actions = nothing } = {}) {
  const { texts, language } = page
  const { types, name, email, organization, organizationIdentifier, powers, issuer } = credential
  const shown = statusOf(credential, status)
  const period = {
    from: dayOf(credential.validFrom, language),
    until: dayOf(credential.validUntil, language),
  }
  return html`<article class="credential ${shown}" data-status=${shown}>
<header class="row apart"><p class="credential-type">${types.at(-1) ?? '?'}</p><span class="badge ${badges[shown] ?? ''}">${texts.status[shown]}</span></header>
<p class="credential-name">${name ?? email ?? '?'}</p>
<p class="credential-organization">${organization ?? ''}<span class="soft small"> ${organizationIdentifier ?? ''}</span></p>
<dl>
<dt>${texts.powers}</dt><dd><ul class="list">${powers.map((power) => html`<li>${power}</li>`)}</ul></dd>
<dt>${texts.valid}</dt><dd>${fill(texts.until, period)}</dd>
<dt>${texts.issuer}</dt><dd>${issuer === undefined ? '?' : namedDid(issuer, page)}</dd>
</dl>
${actions === nothing ? nothing : html`<div class="actions">${actions}</div>`}
</article>`
}

/** The steps of a wallet; its requests are set apart. */
export const stepList = (steps, page) =>
  html`<ol class="steps">${steps.map(
    ({ type, detail }) => html`<li class=${type}>${page.texts.steps[type]}
${detail ? html`<code>${shownValue(detail, page)}</code>` : nothing}</li>`,
  )}</ol>`

/** The members of a token as rows of a table, each with its meaning. */
export const claimRows = (claims, page) =>
  claims.map(
    ({ path, value, explanation }) =>
      html`<tr><th scope="row"><code>${path}</code></th><td class="what">${shownValue(value, page)}</td><td>${explanation}</td></tr>`,
  )
