import { html, type SafeHtml } from '#core/html/html.ts'
import type { Reply } from '#kit/define-route.ts'
import type { Language } from '#kit/language.ts'
import type { Address } from '#testbed/services/addresses.ts'
import { consolePage, type Frame, pathIn } from '../frame/page.ts'
import { frameTexts } from '../frame/rooms.ts'
import { adminPanelForm } from '../sessions/list-page.ts'
import type { Activity } from './activity.ts'
import { homeTexts, partName } from './texts.ts'

export interface HomePageOptions {
  readonly addresses: readonly Address[]
  /** Newest first. */
  readonly activity: readonly Activity[]
  /** Id of the last exchange that the activity covers. */
  readonly last: number
}

/** The parts of the environment with their health, and what happened; `home.js` updates both. */
export function homePage(frame: Frame, options: HomePageOptions): Reply {
  const { addresses, activity, last } = options
  const { language, environment } = frame
  const texts = homeTexts[language]
  const groups = [environment, 'testbed']
  const exchanges = frame.built.has('/exchanges') ? pathIn(frame, '/exchanges') : undefined
  return consolePage(frame, {
    title: texts.title,
    room: 'home',
    script: 'home.js',
    style: 'home.css',
    data: { activity, last, texts, exchanges },
    body: html`<p class="lead">${texts.lead}</p>
${quickStart(frame)}
<p class="row"><span id="summary" role="status" class="badge">${texts.checking}</span></p>
<div class="columns home">
<section class="card">
<h2>${texts.activity}</h2>
<div id="activity"></div>
${exchanges && html`<p><a href="${exchanges}">${texts.allExchanges}</a></p>`}
</section>
<section class="card">
<h2>${texts.parts}</h2>
${groups.map(
  (
    group,
  ) => html`<h3>${group === 'testbed' ? texts.shared : `${frameTexts[language].environment} ${group}`}</h3>
<ul class="list parts">${addresses.filter((each) => each.group === group).map((each) => part(language, each))}</ul>`,
)}
</section>
</div>`,
  })
}

/** Links to what a demonstration begins with, and the way into the admin panel. */
function quickStart(frame: Frame): SafeHtml {
  const texts = homeTexts[frame.language]
  const found = (
    [
      ['/tour', texts.tour],
      ['/portal', texts.portal],
      ['/relying-party', texts.logIn],
    ] as const
  ).filter(([path]) => frame.built.has(path))
  const links = found.map(
    ([path, text], index) =>
      html`<a class="button${index === 0 && ' primary'}" href="${pathIn(frame, path)}">${text}</a>`,
  )
  return html`<div class="actions">${links}${adminPanelForm(frame)}</div>`
}

function part(language: Language, { name, url, healthUrl, docsUrl }: Address): SafeHtml {
  const texts = homeTexts[language]
  // The health of the mail server includes SMTP.
  const isChecked = healthUrl !== undefined || name.startsWith('chain')
  return html`<li${isChecked && html` data-url="${url}"`}>
<p class="row apart"><strong>${partName(language, name)}</strong>${isChecked && html`<span class="badge health">${texts.checking}</span>`}</p>
<p class="where"><code>${url}</code> <span class="version"></span>
${docsUrl && html`<a href="${docsUrl}" aria-label="${texts.api}: ${partName(language, name)}">${texts.api}</a>`}</p>
<p class="fault" lang="en" hidden></p>
</li>`
}
