import {
  element,
  findTokens,
  formatMilliseconds,
  plainText,
  splitText,
  statusOf,
  toneOf,
} from './element.js'
import { countRules, showRules } from './show-rules.js'

const timeMembers = /^(iat|exp|nbf|auth_time|notBefore|notAfter|now)$/

const colored = (name, text) => element('span', { class: name }, text)

/** Formats Unix seconds as a date; nothing for numbers that are not plausible times. */
function explainTime(name, value) {
  if (!timeMembers.test(name ?? '') || value < 1e9 || value > 1e11) return undefined
  const time = new Date(value * 1000).toISOString().slice(0, 19).replace('T', ' ')
  return colored('note', ` ${time} UTC`)
}

function showText(text) {
  const parts = splitText(text).map((part, index) =>
    index % 2 === 1 ? colored('jwt', 'JWT, decoded below') : JSON.stringify(part).slice(1, -1),
  )
  return colored('s', ['"', parts, '"'])
}

function showMembers([open, close], members, indent) {
  if (members.length === 0) return [open, close]
  const lines = members.map((member, index) => [
    `${indent}  `,
    member,
    index < members.length - 1 ? ',\n' : '\n',
  ])
  return [`${open}\n`, lines, `${indent}${close}`]
}

function showValue(value, name, indent) {
  if (typeof value === 'string') return showText(value)
  if (Array.isArray(value)) {
    const items = value.map((item) => showValue(item, undefined, `${indent}  `))
    return showMembers(['[', ']'], items, indent)
  }
  if (value === null || typeof value !== 'object') {
    const time = typeof value === 'number' ? explainTime(name, value) : undefined
    return [colored('n', String(value)), time]
  }
  const members = Object.entries(value).map(([key, member]) => [
    colored('k', JSON.stringify(key)),
    ': ',
    showValue(member, key, `${indent}  `),
  ])
  return showMembers(['{', '}'], members, indent)
}

/** A JSON value, indented and coloured; a string that is not JSON is shown unchanged. */
function showJson(value, label) {
  const body =
    typeof value === 'string'
      ? splitText(value).map((part, index) =>
          index % 2 === 1 ? colored('jwt', 'JWT, decoded below') : part,
        )
      : showValue(value, undefined, '')
  return element('pre', { class: 'json', tabindex: '0', role: 'group', 'aria-label': label }, body)
}

const part = (text) => element('p', { class: 'part' }, text)

function showToken({ path, number }, lookUp) {
  const { header, payload } = lookUp(number)
  const name = path === '' ? 'Token' : path
  const algorithm = typeof header.alg === 'string' ? plainText(header.alg) : 'no alg'
  return element(
    'div',
    { class: 'token' },
    element('h5', {}, name, element('span', { class: 'faint' }, ` decoded, ${algorithm}`)),
    element(
      'div',
      { class: 'parts' },
      element('div', {}, part('Header'), showJson(header, `Header of ${name}`)),
      element('div', {}, part('Payload'), showJson(payload, `Payload of ${name}`)),
    ),
    findTokens(payload).map((inner) => showToken(inner, lookUp)),
  )
}

function showMessage(title, { address, headers, query, body }) {
  return element(
    'section',
    { class: 'message' },
    element('h4', {}, title),
    address && element('p', { class: 'faint exchange' }, plainText(address)),
    headers &&
      element(
        'dl',
        { class: 'headers' },
        Object.entries(headers).map(([name, value]) => [
          element('dt', {}, name),
          element('dd', {}, plainText(value)),
        ]),
      ),
    query === undefined ? undefined : [part('Query'), showJson(query, `Query, ${title}`)],
    body === undefined ? undefined : [part('Body'), showJson(body, `Body, ${title}`)],
  )
}

/** Tokens of a message, by their position; a member of the body is found without its name. */
function showTokens(title, { headers, query, body }, lookUp) {
  const tokens = [headers, query, body].flatMap((each) => findTokens(each ?? null))
  if (tokens.length === 0) return undefined
  const tokensTitle = `In the ${title.toLowerCase()}`
  return [part(tokensTitle), tokens.map((token) => showToken(token, lookUp))]
}

function showMessages(hop, lookUp) {
  const time = new Date(hop.at).toISOString().slice(11, 23)
  const messages = [
    ['Request', hop.request],
    [`Response ${statusOf(hop)}`, hop.response],
  ]
    .filter(([, number]) => number !== undefined)
    .map(([title, number]) => [title, lookUp(number)])
  return [
    element(
      'p',
      { class: 'faint exchange' },
      `${plainText(hop.label)}, at ${time} UTC ${formatMilliseconds(hop.milliseconds)}`,
    ),
    hop.rules === undefined ? undefined : showRules(lookUp(hop.rules), hop.to),
    element(
      'div',
      { class: 'messages' },
      messages.map(([title, message]) => showMessage(title, message)),
    ),
    messages.flatMap(([title, message]) => showTokens(title, message, lookUp)),
  ]
}

/** For equal hops in a row: those with different messages. Equal messages have one number. */
function distinct(hops) {
  const seen = new Set()
  return hops.filter(({ label, request, response }) => {
    const said = `${label} ${request} ${response}`
    return !seen.has(said) && seen.add(said)
  })
}

/** One line for an exchange, or for several equal ones, that expands to request and response. */
export function showExchange({ number, hops, isFailed }, id, lookUp) {
  const [first] = hops
  const evaluated = hops.find(({ rules }) => rules !== undefined)
  const rules = evaluated && lookUp(evaluated.rules)
  const isBroken = rules?.some(({ passed }) => !passed) ?? false
  const content = element('div', { class: 'exchanges' })
  const details = element(
    'details',
    { class: isFailed ? 'exchange-details failed-here' : 'exchange-details', id },
    element(
      'summary',
      {},
      element('span', { class: 'no' }, String(number)),
      element('span', { class: 'who' }, `${first.from} → ${first.to}`),
      element('code', {}, plainText(first.label)),
      element(
        'span',
        { class: 'marks' },
        isFailed ? element('span', { class: 'mark bad' }, 'failed here') : undefined,
        rules && element('span', { class: isBroken ? 'mark bad' : 'mark good' }, countRules(rules)),
        hops.length > 1 ? element('span', { class: 'times' }, `×${hops.length}`) : undefined,
      ),
      element('span', { class: `code ${toneOf(first)}` }, statusOf(first)),
    ),
    content,
  )
  const fillOnce = () => {
    if (content.childElementCount > 0) return
    content.append(
      ...distinct(hops)
        .flatMap((hop) => showMessages(hop, lookUp))
        .flat(2)
        .filter((node) => node !== undefined),
    )
  }
  details.addEventListener('toggle', () => details.open && fillOnce())
  return details
}
