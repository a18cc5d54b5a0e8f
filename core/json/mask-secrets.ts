const secretNames =
  /^(authorization|proxy-authorization|cookie|set-cookie|(?:x-)?api[-_]?key|\w*password|client_secret|private_?key|tx_code|user_pin|pin|key|code_verifier|csrf.*|d)$/i

const opaqueCodes =
  /^(pre-authorized_code|preauth_code|code|ticket|refresh_token|access_token|acceptance_token|response_code)$/i

// Matches only at the start of a run of its characters; otherwise it would take quadratic time.
const tokenPattern = /(?<![\w-])(?=[\w-]*eyJ)([\w-]+\.[\w-]+)\.[\w-]+/g

// RFC 3986, 3.2.1: a user name and a password before the host.
const passwordInAddress = /(\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/?#@:]*:)[^\s/?#@]+@/gi

/** Removes the parts that make a token or code usable and keeps the parts that explain it. */
export function maskText(text: string): string {
  const cut = text.includes('eyJ') ? text.replace(tokenPattern, '$1.…') : text
  // Most texts are names and identifiers, in which the other patterns find nothing.
  if (!/[=:]|%(?:25){0,3}3[AaDd]/.test(cut)) return cut
  return maskNamedValues(cut).replace(passwordInAddress, '$1•••@')
}

// The characters around a value, plain, escaped within JSON, or percent-encoded up to four times.
const escaping = String.raw`(?:\\|%(?:25){0,3}5c){0,7}`
const quote = `${escaping}(?:"|%(?:25){0,3}22)`
const space = String.raw`(?:\s|\\{1,7}[nrt]|\+|%(?:25){0,3}(?:20|0[9ad]))`
const colon = '(?::|%(?:25){0,3}3a)'
const equals = '(?:=(?!==)|%(?:25){0,3}3d)'
const open = String.raw`(?:\[|%(?:25){0,3}5b)`
const close = String.raw`(?:\]|%(?:25){0,3}5d)`
/** After the name of a list or an object in a form. */
const brackets = String.raw`(?:${open}\w{0,30}${close}){0,3}`
/** Before the first value of a list, which may contain lists, or that of a PIN in an order. */
const wrapper = [
  `(?<=${quote}${space}*${colon}${space}*)`,
  `(?:(${open}(?:${space}*${open})*)|(?:[{]|%(?:25){0,3}7b)${space}*${quote}value${quote}${space}*${colon})${space}*`,
].join('')
/** From one value of a list up to the next one, which may be in another list within it. */
const betweenItems = new RegExp(
  [
    `(?:${quote})?((?:${space}*${close})*)${space}*(?:,|%(?:25){0,3}2c)`,
    `((?:${space}*${open})*)${space}*(${quote})?`,
  ].join(''),
  'iy',
)
const bracket = new RegExp(`${open}|${close}`, 'gi')
const countBrackets = (text = '') => text.match(bracket)?.length ?? 0

// The names above. Some are words of other texts: these must be in quotes, or the name of a
// parameter in an address or a form.
const unmistakable = String.raw`password|client_secret|private_?key|tx_code|(?:(?<![\w-])|user_)pin|code_verifier|api[-_]?key|(?:pre-authorized|preauth|response)_code|ticket|(?:access|refresh|acceptance)_token`
const inQuotes = String.raw`(?:proxy-)?authorization|(?:set-)?cookie|csrf[\w-]{0,30}|pin|key|code|d|p|q|dp|dq|qi|k`
const asParameter = String.raw`csrf[\w-]{0,30}|pin|key|code`
const startOfParameter = '^|[?&#]|%(?:25){0,3}(?:26|3f|23)'

/**
 * From the sign between a name and a value up to the value. Looks for the sign first, because it is
 * rare. Takes linear time: between two signs, only spaces repeat.
 */
const named = new RegExp(
  [
    `(?<=(?:(${unmistakable}|(?<=${quote})(?:${inQuotes})(?=${brackets}${quote})`,
    `|(?<=${startOfParameter})(?:${asParameter})(?=${brackets}${equals}))`,
    `${brackets}(${quote})?${space}*))`,
    `(${colon}|${equals})(${space}*)(?:${wrapper})?(${quote})?`,
  ].join(''),
  'gi',
)

// A sentence or a placeholder, not a secret. A random text never has letters of one case only.
const words = String.raw`[$<({'\x60]{0,2}(?:[A-Z]?[a-z]+|[A-Z]+)(?:[_.-](?:[a-z]+|[A-Z]+))*`
const onlyWords = new RegExp(`^${words}$`)

// They match at one position, and take no more than the value.
const inPlainQuotes = /(?:[^"\\\r\n]|\\.)*/y
const inEscapedQuotes = /(?:[^"\\\r\n]|\\(?!\\{0,7}"))*/y
const inEncodedQuotes = /(?:(?!(?:%(?:25){0,3}5c){0,7}%(?:25){0,3}22)[^&\s"])*/iy
const inForm = /[^&\s"]*/y
const inEncodedForm = /(?:(?!%(?:25){0,3}2[26])[^&\s"])*/iy
// An object describes a secret, as tx_code in an offer.
const jsonNumber = /(?:(?![[{])[^\s,;}\]&"%]+)?/y
const inProse = new RegExp(
  String.raw`(?:(?![[{]|${words}[>)}'\x60]{0,2}(?:[.!?]?(?=[\s,;"]|$)))[^\s,;&"]{4,})?`,
  'y',
)
const codeInForm = /(?:(?!eyJ)(?:[\w.~+/-]|%2[BFbf]|%3[Dd])+)?/y

/** Replaces the values behind names of secrets in JSON, forms, addresses and sentences. */
function maskNamedValues(text: string): string {
  let masked = ''
  let end = 0
  const isKey = text.includes('kty')
  named.lastIndex = 0
  for (let found = named.exec(text); found !== null; found = named.exec(text)) {
    // Numbered groups, because an object of named ones takes longer than the search.
    const [, name = '', closing, sign = '', gap = '', list, first] = found
    const isCode = opaqueCodes.test(name)
    const isPublic = privateJwkMembers.has(name.toLowerCase()) && !isKey
    let depth = countBrackets(list)
    let item: RegExpExecArray | null = found
    let opening = first
    let start = named.lastIndex
    while (item !== null) {
      const value = valueAt(text, start, patternOf({ closing, sign, gap, opening }, isCode))
      const after = start + value.length
      // Also after a value that is shown: no part of the text is read twice.
      named.lastIndex = after
      const isCut = value.endsWith('…') || text[after] === '…'
      const isShortened = isCode && isCut && value.length <= 9
      if (value !== '' && !isShortened && !isPublic) {
        const shown = isCode ? showCode(value, name, opening !== undefined) : '•••'
        masked += text.slice(end, start) + shown
        end = after
      }
      betweenItems.lastIndex = text[after] === '…' ? after + 1 : after
      item = depth === 0 ? null : betweenItems.exec(text)
      const [, closed, opened, next] = item ?? []
      depth -= countBrackets(closed)
      if (depth < 1) item = null
      depth += countBrackets(opened)
      opening = next
      start = betweenItems.lastIndex
    }
  }
  return masked + text.slice(end)
}

interface Context {
  readonly closing: string | undefined
  readonly sign: string
  readonly gap: string
  readonly opening: string | undefined
}

function patternOf({ closing, sign, gap, opening }: Context, isCode: boolean): RegExp {
  if (opening !== undefined) {
    if (opening === '"') return inPlainQuotes
    return opening.endsWith('"') ? inEscapedQuotes : inEncodedQuotes
  }
  const isForm = /^(?:=|%(?:25){0,3}3d)$/i.test(sign)
  if (closing === undefined && (!isForm || /\s/.test(gap))) return inProse
  if (isCode) return codeInForm
  if (!isForm) return jsonNumber
  return sign === '=' ? inForm : inEncodedForm
}

function valueAt(text: string, start: number, pattern: RegExp): string {
  pattern.lastIndex = start
  return pattern.exec(text)?.[0] ?? ''
}

const shortenCode = (code: string) => `${code.slice(0, Math.min(8, code.length / 2))}…`

/** Error names are in a member `code` too, and tokens are already cut. */
function showCode(value: string, name: string, isInQuotes: boolean): string {
  const isLong = value.length > 8
  if (value.length < 4 || value.startsWith('eyJ')) return value
  if (/^code$/i.test(name) && (!isLong || (isInQuotes && onlyWords.test(value)))) return value
  return shortenCode(value)
}

/** Members of a JWK (RFC 7518, section 6); `d` is masked everywhere. */
const privateJwkMembers = new Set(['p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'])

type Replace = (text: string) => string

/**
 * Returns a copy of a message for traces and reports: secret members are replaced, signatures of
 * tokens are cut (header and payload stay, so that a report can decode them), long text is
 * shortened.
 * @param replace applied to each string and each name of a member as well
 */
export const maskSecrets = (value: unknown, replace: Replace = (text) => text): unknown =>
  maskValue(value, replace, 0)

function maskValue(value: unknown, replace: Replace, depth: number): unknown {
  if (depth > 12) return '…'
  if (typeof value === 'string') {
    const masked = replace(maskText(value))
    return masked.length > 16_384 ? `${masked.slice(0, 16_384)}…` : masked
  }
  if (value instanceof Uint8Array) return `<${value.byteLength} bytes>`
  if (Array.isArray(value)) {
    return value.slice(0, 200).map((item) => maskValue(item, replace, depth + 1))
  }
  if (value !== null && typeof value === 'object') {
    const isKey = 'kty' in value
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        replace(maskText(name)),
        isKey && privateJwkMembers.has(name) ? '•••' : maskMember(name, member, replace, depth),
      ]),
    )
  }
  return value
}

/** Members of an object `tx_code` that describe the PIN, as in an offer. */
const pinDescription = new Set(['length', 'input_mode', 'description'])

function maskMember(name: string, value: unknown, replace: Replace, depth: number): unknown {
  if (name === 'tx_code' && typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const members = Object.entries(value).map(([member, inner]) => [
      pinDescription.has(member) ? member : replace(maskText(member)),
      pinDescription.has(member) ? maskValue(inner, replace, depth + 1) : '•••',
    ])
    return Object.fromEntries(members)
  }
  // Some parsers of forms keep the brackets of a list or an object.
  const [plainName = ''] = name.split('[', 1)
  if (secretNames.test(plainName)) return '•••'
  return opaqueCodes.test(plainName)
    ? maskCode(value, replace, depth)
    : maskValue(value, replace, depth + 1)
}

function maskCode(value: unknown, replace: Replace, depth: number): unknown {
  if (Array.isArray(value) && depth < 12) {
    return value.slice(0, 200).map((item) => maskCode(item, replace, depth + 1))
  }
  if (typeof value === 'string' && !value.startsWith('eyJ')) return shortenCode(replace(value))
  return maskValue(value, replace, depth + 1)
}
