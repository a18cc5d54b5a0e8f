import { html, type SafeHtml } from '#core/html/html.ts'
import type { Reply } from '#kit/define-route.ts'
import { claimMeanings } from '../claims.ts'
import { consolePage, type Frame } from '../frame/page.ts'
import { frameTexts } from '../frame/rooms.ts'
import type { Names } from '../names.ts'
import { explainTexts } from './texts.ts'

/** The form for a message; its module sends it and shows the explanation. */
export function explainPage(frame: Frame, environments: readonly string[], names: Names): Reply {
  const { title, lead, form, result } = explainTexts[frame.language]
  const textField = (name: string, label: string): SafeHtml =>
    html`<p><label for="${name}">${label}</label>
<input id="${name}" name="${name}" maxlength="4096" autocomplete="off" spellcheck="false"></p>`
  return consolePage(frame, {
    title,
    room: 'explain',
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
