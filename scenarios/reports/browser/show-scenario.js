import { drawSequence } from './draw-sequence.js'
import { element } from './element.js'
import { showExchange } from './show-exchange.js'
import { showBrokenRules } from './show-rules.js'

async function inflate(id) {
  const bytes = Uint8Array.from(atob(document.getElementById(id).textContent), (character) =>
    character.charCodeAt(0),
  )
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  return new Response(stream).json()
}

let shared

/**
 * Hops of a scenario, with a lookup for numbered values: its own, or those of several scenarios.
 */
async function readScenario(id) {
  shared ??= inflate('shared-values')
  const [common, { head, values }] = await Promise.all([shared, inflate(`data-${id}`)])
  return { ...head, lookUp: (number) => values[number] ?? common[number] }
}

/** Hops that are drawn together, as grouped by the creator of the page, with their marks. */
function groupHops({ hops, groups, failedHop, lookUp }) {
  let start = 0
  return groups.map((length) => {
    const position = start
    start += length
    const these = hops.slice(position, start)
    return {
      number: position + 1,
      hops: these,
      isFailed: failedHop !== undefined && failedHop >= position && failedHop < start,
      isBroken: these.some(
        ({ rules }) => rules !== undefined && lookUp(rules).some(({ passed }) => !passed),
      ),
    }
  })
}

function showImages(scenario) {
  for (const image of scenario.querySelectorAll('img[data-image]')) {
    const { type, mime } = { type: image.dataset.image, mime: image.dataset.mime }
    image.src = `data:${mime};base64,${document.getElementById(type).textContent}`
    image.removeAttribute('data-image')
  }
}

async function fillScenario(scenario) {
  showImages(scenario)
  const place = scenario.querySelector('.hops')
  if (place === null) return
  try {
    const story = await readScenario(scenario.id)
    const groups = groupHops(story)
    const idOf = ({ number }) => `${scenario.id}-${number}`
    const hrefOf = (group) => `#${idOf(group)}`
    place.replaceChildren(
      ...showBrokenRules(groups, story.lookUp, hrefOf),
      element('h3', {}, 'Sequence'),
      drawSequence(groups, story.steps, hrefOf),
      element(
        'h3',
        {},
        'Exchanges',
        element(
          'span',
          { class: 'faint' },
          ` ${story.hops.length}, secrets masked, signatures truncated`,
        ),
      ),
      element(
        'div',
        { class: 'exchange-list' },
        groups.map((group) => showExchange(group, idOf(group), story.lookUp)),
      ),
    )
  } catch (error) {
    place.replaceChildren(element('p', { class: 'faint' }, `It cannot be shown: ${error.message}`))
  }
}

const filled = new Map()

/** Draws the diagram and the exchanges of a scenario once, when it is first opened. */
export function showScenario(scenario) {
  if (!filled.has(scenario)) filled.set(scenario, fillScenario(scenario))
  return filled.get(scenario)
}
