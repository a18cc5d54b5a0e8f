// The checks of a plan to choose from, those marked for which a person must act.
import { fill } from './kit.js'
import { html } from './lit-html/lit-html.js'

/** All checks are chosen; which ones need a person depends on the target. */
export const createChoice = (checks) => ({
  checks,
  ids: new Set(checks.map(({ id }) => id)),
  person: new Set(),
})

/** The ids of the chosen checks in their order; undefined if all of them are chosen. */
export function chosenIds({ checks, ids }) {
  if (ids.size === checks.length) return undefined
  return checks.filter(({ id }) => ids.has(id)).map(({ id }) => id)
}

/** How many checks are chosen and how many of them need a person. */
export function choiceSummary({ checks, ids, person }, texts) {
  const count = [...ids].filter((id) => person.has(id)).length
  return html`<p>${fill(texts.chosen, { count: ids.size, total: checks.length })}</p>
    ${count === 0 ? '' : html`<p class="warning" id="person-checks">${fill(texts.personChosen, { count })}</p>`}`
}

/** The list of the checks. */
export function choiceCard(choice, { texts, onChange }) {
  const { checks, ids, person } = choice
  const choose = (chosen) => () => {
    choice.ids = new Set(chosen.map(({ id }) => id))
    onChange()
  }
  const toggle = ({ target }) => {
    if (target.checked) ids.add(target.value)
    else ids.delete(target.value)
    onChange()
  }
  const withoutPerson = checks.filter(({ id }) => !person.has(id))
  return html`<section class="card" aria-labelledby="checks">
    <div class="row apart"><h2 id="checks">${texts.checks}</h2>
      <div class="actions filter" role="group" aria-labelledby="checks">
        <button type="button" class="button small" @click=${choose(checks)}>${texts.all}</button>
        <button type="button" class="button small" @click=${choose([])}>${texts.nothing}</button>
        ${
          person.size > 0 && withoutPerson.length > 0
            ? html`<button type="button" class="button small" @click=${choose(withoutPerson)}>
                ${texts.onlyWithoutPerson}</button>`
            : ''
        }
      </div></div>
    <ul class="list checks">${checks.map(
      ({ id, title }) => html`<li><label class="choice">
        <input type="checkbox" value=${id} .checked=${ids.has(id)} @change=${toggle}>
        <span><code>${id}</code> <span lang="en">${title}</span>
          ${person.has(id) ? html`<span class="badge wait">${texts.person}</span>` : ''}</span>
      </label></li>`,
    )}</ul>
  </section>`
}
