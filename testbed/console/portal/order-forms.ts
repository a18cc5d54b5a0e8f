import { html, type SafeHtml } from '#core/html/html.ts'
import type { Power } from '#core/power/power.ts'
import { readOwnPowers } from '#services/issuer/domain/bearer-claims.ts'
import type { Frame } from '../frame/page.ts'
import type { PortalUser } from './portal-desk.ts'
import { portalTexts } from './texts.ts'

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
export function orderForms(frame: Frame, { signedIn }: PortalUser): SafeHtml {
  const { language, environment } = frame
  const texts = portalTexts[language]
  const powers = readOwnPowers(signedIn.claims)
  const noAction = html`<p class="problem" data-problem="power" role="alert"></p>`
  return html`<div class="columns">
<section class="card"><h2>${texts.own}</h2>
<p class="soft">${texts.ownLead}</p>
<form data-order="/console/portal/${environment}/representative" id="own">
${powerFields(frame, powers, 'own', true)}
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
${powerFields(frame, powers, 'employee', false)}
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
  form: string,
  areChosen: boolean,
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
