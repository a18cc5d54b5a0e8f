import { html, type SafeHtml } from '#core/html/html.ts'
import type { Change, Difference } from './create-difference.ts'
import {
  changeNames,
  countChanges,
  describeChange,
  groupChanges,
  otherSelection,
} from './describe-change.ts'
import { slugOf } from './slug-of.ts'

function renderChange(change: Change): SafeHtml {
  const { id, title, after } = change
  const name = html`${title} <code>${id}</code>`
  const said = describeChange(change)
  const link = after === undefined ? name : html`<a href="#${slugOf(id)}">${name}</a>`
  return html`<li>${link}${said !== '' && html` <span class="faint">${said}</span>`}</li>`
}

/** What is different from an earlier run, the most urgent first, for the top of the page. */
export function differenceSection(difference: Difference): SafeHtml {
  const { before, changes, isSameSelection } = difference
  const groups = groupChanges(difference).map(
    ({ kind, changes: these, more }) =>
      html`<h2>${changeNames[kind]}</h2><ul>${these.map(renderChange)}${more > 0 && html`<li class="faint">and ${more} more</li>`}</ul>`,
  )
  const isUrgent = changes.some(({ kind }) => kind === 'newly-failing')
  const time = before.startedAt.slice(0, 19).replace('T', ' ')
  return html`<details class="panel difference"${isUrgent && html` open`}><summary>Since the run of <time datetime="${before.startedAt}">${time} UTC</time>: <b>${countChanges(difference)}</b></summary>
${!isSameSelection && html`<p class="faint">${otherSelection}</p>`}${groups}</details>`
}
