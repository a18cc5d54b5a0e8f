import { html } from '#core/html/html.ts'
import type { Reply } from '#kit/define-route.ts'
import { consolePage, type Frame } from '../frame/page.ts'
import { exchangesTexts } from './texts.ts'

/** The page of the live exchanges; its module draws the diagram and fills in the journeys. */
export function exchangesPage(frame: Frame): Reply {
  const { title, lead, page: texts, parts } = exchangesTexts[frame.language]
  return consolePage(frame, {
    title,
    room: 'exchanges',
    script: 'exchanges.js',
    style: 'exchanges.css',
    data: { texts },
    body: html`<p class="lead">${lead}</p>
<form id="filter" role="search">
<p><label for="journey">${texts.journey}</label>
<select id="journey" name="journey">
<option value="">${texts.current}</option>
<option value="all">${texts.all}</option>
</select></p>
<p><label for="part">${texts.part}</label>
<select id="part" name="part">
<option value="">${texts.anyPart}</option>
${Object.entries(parts).map(([part, name]) => html`<option value="${part}">${name}</option>`)}
</select></p>
<p><label for="status">${texts.status}</label>
<select id="status" name="status">
<option value="">${texts.anyStatus}</option>
<option value="failing">${texts.failing}</option>
<option value="redirect">${texts.redirect}</option>
<option value="success">${texts.success}</option>
</select></p>
<p><label for="text">${texts.text}</label>
<input id="text" name="text" type="search" maxlength="200" autocomplete="off"></p>
</form>
<div class="row apart">
<p id="count" class="soft"></p>
<div class="actions">
<button type="button" class="button small" id="pause" aria-pressed="false">${texts.pause}</button>
<button type="button" class="button small" id="clear">${texts.clear}</button>
<button type="button" class="button small" id="link">${texts.link}</button>
<span class="row export" role="group" aria-label="${texts.export}">
<button type="button" class="button small" data-export="svg">SVG</button>
<button type="button" class="button small" data-export="mermaid">Mermaid</button>
<button type="button" class="button small" data-export="har">HAR</button>
</span>
</div>
</div>
<p id="message" role="status"></p>
<div id="diagram"></div>
<section id="exchange" class="card" aria-labelledby="exchange-title" hidden>
<h2 class="hidden">${texts.selected}</h2>
<div class="row apart">
<h3 id="exchange-title" tabindex="-1"></h3>
<div class="actions">
<button type="button" class="button small" id="previous">${texts.previous}</button>
<button type="button" class="button small" id="next">${texts.next}</button>
<button type="button" class="button small" id="close">${texts.close}</button>
</div>
</div>
<div id="exchange-content" class="exchange-view"></div>
</section>`,
  })
}
