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
import { partName, say, words } from './words.js'

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
    index % 2 === 1 ? colored('jwt', words.tokenBelow) : JSON.stringify(part).slice(1, -1),
  )
  return colored('s', ['"', parts, '"'])
}

const explainClaim = (meanings, path) =>
  Object.hasOwn(meanings, path) ? colored('note', `  ${meanings[path]}`) : undefined

const isContainer = (value) => value !== null && typeof value === 'object'

function showMembers([open, close], members, indent, meaning) {
  if (members.length === 0) return [open, close, meaning]
  const lines = members.map(({ shown, remark }, index) => [
    `${indent}  `,
    shown,
    index < members.length - 1 ? ',' : '',
    remark,
    '\n',
  ])
  return [open, meaning, '\n', lines, `${indent}${close}`]
}

function showValue(value, { name, path = '', indent, meanings, meaning }) {
  if (typeof value === 'string') return showText(value)
  const inner = { indent: `${indent}  `, meanings, path }
  if (Array.isArray(value)) {
    const items = value.map((item) => ({ shown: showValue(item, inner) }))
    return showMembers(['[', ']'], items, indent, meaning)
  }
  if (!isContainer(value)) {
    const time = typeof value === 'number' ? explainTime(name, value) : undefined
    return [colored('n', String(value)), time]
  }
  const members = Object.entries(value).map(([key, member]) => {
    const below = path === '' ? key : `${path}.${key}`
    const remark = explainClaim(meanings, below)
    // After the bracket that opens a container, otherwise after the value.
    const place = isContainer(member) ? { meaning: remark } : {}
    return {
      shown: [
        colored('k', JSON.stringify(key)),
        ': ',
        showValue(member, { ...inner, ...place, name: key, path: below }),
      ],
      remark: isContainer(member) ? undefined : remark,
    }
  })
  return showMembers(['{', '}'], members, indent, meaning)
}

/** A JSON value, indented and coloured; a string that is not JSON is shown unchanged. */
export function showJson(value, label, meanings = {}) {
  const body =
    typeof value === 'string'
      ? splitText(value).map((part, index) =>
          index % 2 === 1 ? colored('jwt', words.tokenBelow) : part,
        )
      : showValue(value, { indent: '', meanings })
  return element('pre', { class: 'json', tabindex: '0', role: 'group', 'aria-label': label }, body)
}

const part = (text) => element('p', { class: 'part' }, text)

function showToken({ path, number }, lookUp) {
  const { header, payload } = lookUp(number)
  const name = path === '' ? words.tokenName : path
  const algorithm = typeof header.alg === 'string' ? plainText(header.alg) : words.noAlgorithm
  return element(
    'div',
    { class: 'token' },
    element(
      'h5',
      {},
      name,
      element('span', { class: 'faint' }, ` ${say(words.decoded, { algorithm })}`),
    ),
    element(
      'div',
      { class: 'parts' },
      element(
        'div',
        {},
        part(words.header),
        showJson(header, `${words.header}, ${name}`, words.claims),
      ),
      element(
        'div',
        {},
        part(words.payload),
        showJson(payload, `${words.payload}, ${name}`, words.claims),
      ),
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
    query === undefined
      ? undefined
      : [part(words.query), showJson(query, `${words.query}, ${title}`)],
    body === undefined ? undefined : [part(words.body), showJson(body, `${words.body}, ${title}`)],
  )
}

/** Tokens of a message, by their position; a member of the body is found without its name. */
function showTokens(title, { headers, query, body }, lookUp) {
  const tokens = [headers, query, body].flatMap((each) => findTokens(each ?? null))
  if (tokens.length === 0) return undefined
  const tokensTitle = say(words.tokensIn, { message: title.toLowerCase() })
  return [part(tokensTitle), tokens.map((token) => showToken(token, lookUp))]
}

/** Request and response of an exchange, its rules, and the tokens in it. */
export function showMessages(hop, lookUp) {
  const time = new Date(hop.at).toISOString().slice(11, 23)
  const messages = [
    [words.request, hop.request],
    [say(words.response, { status: statusOf(hop) }), hop.response],
  ]
    .filter(([, number]) => number !== undefined)
    .map(([title, number]) => [title, lookUp(number)])
  return [
    element(
      'p',
      { class: 'faint exchange' },
      say(words.exchangeAt, {
        label: plainText(hop.label),
        time,
        duration: formatMilliseconds(hop.milliseconds),
      }),
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
      element('span', { class: 'who' }, `${partName(first.from)} → ${partName(first.to)}`),
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
