/** A credential offer, or a presentation request. */
export type LinkKind = 'offer' | 'request'

/** A link for wallets, as found in the input. */
export interface FoundLink {
  readonly kind: LinkKind
  readonly link: string
}

const longestText = 1_000_000
const candidates = /(?:openid-credential-offer|openid4vp|https?):[^\s"<>]+/gi
const closing = ".,;:!?'’”»)]}"

/** The parameters that make a web link a wallet link. */
const webParameters: Readonly<Record<string, LinkKind>> = {
  credential_offer: 'offer',
  credential_offer_uri: 'offer',
  request_uri: 'request',
  request: 'request',
  dcql_query: 'request',
}

/**
 * Finds the first link of an offer or a presentation request in a string: the link itself, with or
 * without surrounding white space, a link in an email (plain or HTML) or a sentence, or a web link
 * with the same parameters. Does not validate the content of the link. Undefined if there is no
 * link.
 */
export function findLink(text: string, wanted?: LinkKind): FoundLink | undefined {
  const whole = text.trim()
  // A link by value may contain unencoded JSON with spaces and brackets.
  const isAlone = /^(?:openid-credential-offer|openid4vp):[^\r\n]*$|^\S+$/i.test(whole)
  const alone = isAlone ? [whole] : []
  const found = whole.slice(0, longestText).match(candidates) ?? []
  for (const link of [...alone, ...found.map(tidy)]) {
    const kind = kindOf(link)
    if (kind !== undefined && (wanted === undefined || kind === wanted)) return { kind, link }
  }
  return undefined
}

/** Removes punctuation and markup that surround a link. */
function tidy(match: string): string {
  let end = match.length
  while (end > 0 && closing.includes(match[end - 1] ?? '')) end--
  return match.slice(0, end).replaceAll('&amp;', '&')
}

function kindOf(link: string): LinkKind | undefined {
  const url = URL.parse(link)
  if (url?.protocol === 'openid-credential-offer:') return 'offer'
  if (url?.protocol === 'openid4vp:') return 'request'
  const names = [...(url?.searchParams.keys() ?? [])]
  const name = names.find((key) => Object.hasOwn(webParameters, key))
  return name === undefined ? undefined : webParameters[name]
}

/** True for an absolute http or https URL. */
export function isWebAddress(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\//i.test(value) && URL.canParse(value)
}
